import type { Described } from '../../connectors/history/port.ts'
import type { Undescribed } from '../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'

/**
 * What a row is to lose: of its tags and attribute values those that only reports gave which do not count
 * (decisions 17.3); null: nothing. A repeat refreshes the time of an attribute and leaves no record, so a value is that
 * of a record up to `dedupeWindow` milliseconds before its time.
 */
export function undescribedOf(row: EntityState, described: Described, dedupeWindow: number): Undescribed | null {
  const gone = new Set(described.tags)
  const tags = row.tags.filter((tag) => gone.has(tag))
  const attributes: Undescribed['attributes'] = {}
  for (const { name, kept, gone } of described.attributes) {
    const value = row.attributes[name]
    const age = (row.attributeTimes[name] ?? 0) - gone.at
    if (value === undefined || value !== gone.value || value === kept?.value) continue
    if (age >= 0 && age <= dedupeWindow) attributes[name] = kept
  }
  if (tags.length === 0 && Object.keys(attributes).length === 0) return null
  return { version: row.version, tags: tags.sort(), attributes }
}
