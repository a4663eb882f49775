import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { canCover } from '../../../../schemas/intelligence/propagation/coverage.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import type { IndexedEntity } from '../../../../schemas/intelligence/state/present.ts'

const MAX_KNOWN = 10_000

/** What an index keeps of entities, by what changed of them. Ids of audiences are remembered. */
export function indexedChanges(): (change: Change) => IndexedEntity | null {
  const known = new Map<string, bigint>()

  function idOf(groups: readonly string[]): bigint {
    const text = groups.join('\n')
    const id = known.get(text) ?? audienceId(groups)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, id)
    return id
  }

  /** null: the change does not say all of it, so it is read where it is stored: a record of an older release. */
  return ({ type, value, wide, rows }) => {
    const isUnsure = rows.length === 0 || (canCover(type) && rows.some(({ after }) => after.covers === null))
    if (isUnsure) return null
    return {
      type,
      value,
      wide,
      rows: rows.map(({ audience, after }) => ({ ...after, covers: after.covers ?? false, audience: idOf(audience) })),
    }
  }
}
