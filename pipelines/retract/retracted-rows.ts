import type { Described } from '../../connectors/history/port.ts'
import type { Undescribed } from '../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { idsOf, type PageOptions, place, type RetractPorts } from './ports.ts'

/**
 * What a row is to lose (decisions 17.3): of its tags and attribute values those that only reports gave which do not
 * count; null: nothing. A repeat refreshes the time of an attribute and leaves no record, so a value is that of a record
 * up to `dedupeWindow` milliseconds before its time.
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

/** Looks at rows as they are now, and at what they are to lose; both by pair. */
export function rowsNow(
  { store }: Pick<RetractPorts, 'store'>,
  { source, from, to, dedupeWindow }: Pick<PageOptions, 'source' | 'from' | 'to' | 'dedupeWindow'>,
) {
  return {
    async of(entityIds: readonly string[]): Promise<Map<string, EntityState>> {
      return new Map((await store.rowsOf(entityIds)).map((row) => [place(row), row]))
    },

    /** Of each row that loses something. The records of rows are in the store before they are. */
    async undescribed(rows: readonly EntityState[]): Promise<Map<string, Undescribed>> {
      const some = rows.filter(({ tags, attributes }) => tags.length > 0 || Object.keys(attributes).length > 0)
      const described = await store.described({ source, from, to, entityIds: idsOf(some) })
      const byPlace = new Map(described.map((found) => [place(found), found]))
      const found = new Map<string, Undescribed>()
      for (const row of some) {
        const of = byPlace.get(place(row))
        const undescribed = of === undefined ? null : undescribedOf(row, of, dedupeWindow)
        if (undescribed !== null) found.set(place(row), undescribed)
      }
      return found
    },
  }
}

export type RowsNow = ReturnType<typeof rowsNow>
