import type { EntityState } from './entity-state.ts'
import { floored, score } from './score.ts'

/** What one caller is shown of an entity: the fold of the rows of all audiences that the caller reads (design 5). */
export type EntityView = Pick<
  EntityState,
  | 'entityId'
  | 'type'
  | 'value'
  | 'reputation'
  | 'accuracy'
  | 'best'
  | 'worst'
  | 'wellKnown'
  | 'tags'
  | 'attributes'
  | 'country'
  | 'asn'
  | 'aso'
  | 'firstSeen'
  | 'lastSeen'
>

/**
 * Folds the rows of one entity, at least one, whatever their order: all claims scored together as of the last
 * observation, tags united, of each attribute the latest value. A single row is its own fold.
 */
export function fold(rows: readonly EntityState[]): EntityView {
  const [first, ...others] = [...rows].sort((a, b) => (a.audience < b.audience ? -1 : 1))
  if (first === undefined) throw new Error('an entity without rows has no view')
  if (others.length === 0) return first
  const lastSeen = Math.max(...rows.map((r) => r.lastSeen))
  const wellKnown = rows.some((r) => r.wellKnown)
  const s = score(
    first.type,
    rows.flatMap((r) => r.claims),
    lastSeen,
  )
  const attributes = latest([first, ...others])
  return {
    entityId: first.entityId,
    type: first.type,
    value: first.value,
    reputation: floored(s.reputation, wellKnown),
    accuracy: s.accuracy,
    best: s.best,
    worst: s.worst,
    wellKnown,
    tags: [...new Set(rows.flatMap((r) => r.tags))].sort(),
    attributes,
    ...whereabouts([first, ...others], attributes),
    firstSeen: Math.min(...rows.map((r) => r.firstSeen)),
    lastSeen,
  }
}

function latest(rows: readonly EntityState[]): Record<string, string> {
  const attributes: Record<string, string> = {}
  const times: Record<string, number> = {}
  for (const row of rows)
    for (const [name, value] of Object.entries(row.attributes)) {
      const time = row.attributeTimes[name] ?? 0
      const known = times[name]
      if (known !== undefined && (known > time || (known === time && attributes[name]! >= value))) continue
      attributes[name] = value
      times[name] = time
    }
  return attributes
}

/** A row that states the folded attribute speaks for it; without one, rows agree on what the IP database says. */
function whereabouts(rows: readonly EntityState[], attributes: Readonly<Record<string, string>>) {
  const of = (name: 'country' | 'asn' | 'aso'): EntityState => {
    const stated = attributes[name]
    return rows.find((r) => (stated === undefined ? r[name] : r.attributes[name] === stated)) ?? rows[0]!
  }
  return { country: of('country').country, asn: of('asn').asn, aso: of('aso').aso }
}
