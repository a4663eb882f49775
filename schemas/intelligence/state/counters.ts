import type { EntityState } from './entity-state.ts'

/** What `counts` counts, per audience: entities by (type, reputation, accuracy), by day of lastSeen, by facet. */
export type Dim = 'cell' | 'day' | 'tag' | 'country' | 'asn' | 'aso'

export type Cell = { type: string; reputation: number; accuracy: number }

type Counted = Pick<EntityState, 'type' | 'reputation' | 'accuracy' | 'lastSeen' | 'tags' | 'country' | 'asn' | 'aso'>

const DAY_MS = 86_400_000

/** UTC day of a time in unix milliseconds, `YYYY-MM-DD`. */
export const dayOf = (time: number): string => new Date(Math.floor(time / DAY_MS) * DAY_MS).toISOString().slice(0, 10)

export const cellKey = (c: Cell): string => `${c.type}|${c.reputation}|${c.accuracy}`

export function cellOf(key: string): Cell {
  const [type = '', reputation, accuracy] = key.split('|')
  return { type, reputation: Number(reputation), accuracy: Number(accuracy) }
}

/** Every counter that one entity stands in, each with the flag of negative reputation. */
export function countersOf(e: Counted, day: string, each: (dim: Dim, key: string) => void): void {
  each('cell', cellKey(e))
  each('day', day)
  for (const tag of e.tags) each('tag', tag)
  if (e.country !== '') each('country', e.country)
  if (e.asn !== 0) each('asn', String(e.asn))
  if (e.aso !== '') each('aso', e.aso)
}
