import type { Extraction } from '../../../../../schemas/intelligence/extract/extract.ts'
import { ANSWERS, type Answered, answerOf, worstFirst } from '../../../../../schemas/intelligence/extract/ranking.ts'
import { BULK_COLUMNS, bulkCells, type LookupOutcome, outcomes } from './outcomes.ts'
import type { LookupResults } from './queries.ts'

/** `12 indicators in 200 lines`. */
export function extractionTitle({ indicators, lines }: Pick<Extraction, 'indicators' | 'lines'>): string {
  const counted = (count: number, what: string) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
  return `${counted(indicators.length, 'indicator')} in ${counted(lines, 'line')}`
}

/** The outcome of each indicator of a text, worst first. */
export function textOutcomes({ indicators }: Pick<Extraction, 'indicators'>, many: LookupResults): LookupOutcome[] {
  const values = indicators.map(({ value }) => value)
  return outcomes(values, many)
    .map((outcome, index) => {
      const { type, lines, count, text } = indicators[index]!
      return { ...outcome, type: outcome.id === null ? type : outcome.type, place: { lines, count, text } }
    })
    .toSorted((a, b) => worstFirst(answered(a), answered(b)))
}

/** What ranks an outcome. */
export const answered = ({ reputation, accuracy, state }: LookupOutcome): Answered => ({
  reputation,
  accuracy,
  covered: state === 'covered',
  asked: state !== 'unasked',
})

export const TEXT_COLUMNS = [...BULK_COLUMNS, 'verdict', 'line', 'times', 'text']

export const textCells = (one: LookupOutcome): (string | number)[] => [
  ...bulkCells(one),
  ANSWERS[answerOf(answered(one))],
  one.place?.lines[0] ?? '',
  one.place?.count ?? '',
  one.place?.text ?? '',
]

/** The same as JSON, with all of the lines that are known. */
export function textJson(all: readonly LookupOutcome[]): string {
  const records = all.map((one) => {
    const { value, type, id, reputation, accuracy, tags, last, networks, by, place } = one
    const verdict = answerOf(answered(one))
    return { value, type, verdict, reputation, accuracy, id, tags, lastSeen: last, networks, by, ...place }
  })
  return `${JSON.stringify(records, null, 2)}\n`
}
