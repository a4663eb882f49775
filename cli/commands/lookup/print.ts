import { notRun } from '../../../schemas/feeds-out/formats/text/formula.ts'
import { accuracyLabel, scoreLabel } from '../../../schemas/intelligence/entities/labels.ts'
import type { Indicator } from '../../../schemas/intelligence/extract/indicator.ts'
import { ANSWERS, type Answered, answerOf, countAnswers } from '../../../schemas/intelligence/extract/ranking.ts'
import { jsonLines } from '../output.ts'
import { table } from '../table.ts'
import { amount } from '../values/amount.ts'
import type { KnownValue } from './ask.ts'

/** An indicator of the text, and what is known of it. */
export type LookedUp = Indicator & KnownValue & Pick<Answered, 'covered' | 'asked'>

const MAX_SHOWN = 100
const MAX_TAGS = 6

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text)

/** `-3 Alarming, accuracy medium`; `-`: nothing is known. */
export function scoreOf({ reputation, accuracy }: LookedUp): string {
  if (reputation === null) return '-'
  const word = `${reputation} ${scoreLabel(reputation, accuracy ?? 0)}`
  return accuracy ? `${word}, accuracy ${accuracyLabel(accuracy).toLowerCase()}` : word
}

/** The networks around it, or what decides for it. */
function placeOf({ networks, by }: LookedUp): string {
  if (by) return ` (by ${by.type} ${shortened(by.value)})`
  return networks.length > 0 ? ` (in ${networks.join(', ')})` : ''
}

/** A line for each, for people. */
export const asTable = (all: readonly LookedUp[]): string =>
  table(
    ['VERDICT', 'SCORE', 'TYPE', 'VALUE', 'LINE', 'TIMES', 'TAGS'],
    all.map((one) => [
      ANSWERS[answerOf(one)],
      scoreOf(one),
      one.type,
      shortened(one.value) + placeOf(one),
      String(one.lines[0]),
      String(one.count),
      one.tags.slice(0, MAX_TAGS).join(' ') || '-',
    ]),
  )

const record = (one: LookedUp): Record<string, unknown> => {
  const { covered: _, asked: __, ...rest } = one
  return { verdict: answerOf(one), ...rest }
}

/** An object on each line, for programs. */
export const asJson = (all: readonly LookedUp[]): string => jsonLines(all.map(record))

function cell(value: string | number | null): string {
  const text = typeof value === 'string' ? notRun(value) : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Rows under their names (RFC 4180).
 * @param withBy whether the last column is what decides for each
 */
export const asCsv = (all: readonly LookedUp[], withBy = false): string =>
  [
    [
      'verdict',
      'reputation',
      'accuracy',
      'type',
      'value',
      'line',
      'times',
      'tags',
      'networks',
      'last seen',
      'id',
      'text',
      ...(withBy ? ['by'] : []),
    ],
    ...all.map((one) => [
      ...[answerOf(one), one.reputation, one.accuracy, one.type, one.value, one.lines[0]!, one.count],
      ...[one.tags.join(' '), one.networks.join(' '), one.lastSeen, one.id, one.text],
      ...(withBy ? [one.by?.value ?? null] : []),
    ]),
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('')

/** `3 indicators in 200 lines: 1 malicious, 2 unknown.` */
export function summary(all: readonly LookedUp[], lines: number): string {
  const counts = countAnswers(all).map(([kind, count]) => `${count} ${ANSWERS[kind].toLowerCase()}`)
  return `${amount(all.length, 'indicator')} in ${amount(lines, 'line')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}\n`
}
