import type { Indicator } from '../../../../../schemas/intelligence/extract/indicator.ts'
import { recognise } from '../../../parts/indicators/recognise.ts'
import type { LookupResults } from './queries.ts'

export const LOOKUP_STATES = {
  found: 'Found',
  covered: 'In a known network',
  missing: 'Not found',
  unread: 'Not an indicator',
  unasked: 'Not looked up',
} as const
export type LookupState = keyof typeof LOOKUP_STATES

/** The outcome for one value of many. Scores are those of its worst entity. */
export type LookupOutcome = {
  value: string
  state: LookupState
  /** The type of its entity, else the recognised kind. */
  type: string
  id: string | null
  reputation: number | null
  accuracy: number | null
  tags: string[]
  last: string | null
  networks: { id: string; value: string; reputation: number }[]
  /** Where it stands in a text. */
  place: Pick<Indicator, 'lines' | 'count' | 'text'> | null
}

/** Outcomes in the order of the values. */
export function outcomes(values: readonly string[], many: LookupResults): LookupOutcome[] {
  return values.map((value, index) => {
    const result = many.known.get(value)
    const worst = result?.entities.toSorted((a, b) => a.reputation - b.reputation || b.accuracy - a.accuracy)[0]
    const networks = result?.coveredBy ?? []
    return {
      value,
      state: stateOf(index >= many.requested, worst !== undefined, networks.length > 0, many.unrecognised.has(value)),
      type: result?.entities.map(({ type }) => type).join(', ') || recognise(value).label,
      id: worst?.id ?? null,
      reputation: worst?.reputation ?? null,
      accuracy: worst?.accuracy ?? null,
      tags: [...new Set(result?.entities.flatMap(({ tags }) => tags))],
      last: worst?.lastSeen ?? null,
      networks: networks.map(({ id, value, reputation }) => ({ id, value, reputation })),
      place: null,
    }
  })
}

function stateOf(unasked: boolean, found: boolean, covered: boolean, unread: boolean): LookupState {
  if (unasked) return 'unasked'
  if (found) return 'found'
  return covered ? 'covered' : unread ? 'unread' : 'missing'
}

export const BULK_COLUMNS = [
  'value',
  'outcome',
  'type',
  'reputation',
  'accuracy',
  'tags',
  'last seen',
  'networks',
  'entity id',
]

export const bulkCells = (one: LookupOutcome): (string | number)[] => [
  one.value,
  LOOKUP_STATES[one.state],
  one.type,
  one.reputation ?? '',
  one.accuracy ?? '',
  one.tags.join(' '),
  one.last ?? '',
  one.networks.map(({ value }) => value).join(' '),
  one.id ?? '',
]
