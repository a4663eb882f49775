import type { Indicator } from '../../../../../schemas/intelligence/extract/indicator.ts'
import { recognise } from '../../../parts/indicators/recognise.ts'
import type { Decider, LookupResults } from './queries.ts'

export const LOOKUP_STATES = {
  found: 'Found',
  covered: 'In a known network',
  below: 'Below a known name or host',
  missing: 'Not found',
  unread: 'Not an indicator',
  unasked: 'Not looked up',
} as const
export type LookupState = keyof typeof LOOKUP_STATES

/** The outcome for one value of many. Score and tags are those of its worst entity, or of what decides above it. */
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
  by: Pick<Decider, 'id' | 'type' | 'value'> | null
  /** Where it stands in a text. */
  place: Pick<Indicator, 'lines' | 'count' | 'text'> | null
}

/** Outcomes in the order of the values. */
export function outcomes(values: readonly string[], many: LookupResults): LookupOutcome[] {
  return values.map((value, index) => {
    const result = many.known.get(value)
    const worst = result?.entities.toSorted((a, b) => a.reputation - b.reputation || b.accuracy - a.accuracy)[0]
    const networks = result?.coveredBy ?? []
    const by = many.deciders.get(value)
    const shown = by ?? worst
    const covered = networks.length > 0 || by?.type === 'cidr'
    return {
      value,
      state:
        index >= many.requested
          ? 'unasked'
          : stateOf({
              found: worst !== undefined,
              covered,
              below: by !== undefined,
              unread: many.unrecognised.has(value),
            }),
      type: result?.entities.map(({ type }) => type).join(', ') || recognise(value).label,
      id: worst?.id ?? null,
      reputation: shown?.reputation ?? null,
      accuracy: shown?.accuracy ?? null,
      tags: by?.tags ?? [...new Set(result?.entities.flatMap(({ tags }) => tags))],
      last: worst?.lastSeen ?? null,
      networks: networks.map(({ id, value, reputation }) => ({ id, value, reputation })),
      by: by === undefined ? null : { id: by.id, type: by.type, value: by.value },
      place: null,
    }
  })
}

function stateOf(is: Record<'found' | 'covered' | 'below' | 'unread', boolean>): LookupState {
  return (['found', 'covered', 'below', 'unread'] as const).find((state) => is[state]) ?? 'missing'
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
  'score from',
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
  one.by?.value ?? '',
]
