import { PUBLIC, PUBLIC_AUDIENCE } from '../../../schemas/intelligence/observations/audience.ts'
import type { History } from '../port.ts'
import { type AudienceRow, readableAudiences } from '../sql/queries/audiences.ts'
import type { ViewReader } from '../sql/search/entity-surface.ts'

const MAX_AUDIENCES = 10_000

/** What a reader in all of these groups may read, as it is now; `history` is that of the entities. */
export async function viewReader(history: Pick<History, 'query'>, groups: readonly string[]): Promise<ViewReader> {
  const assigned = groups.filter((group) => group !== PUBLIC)
  const rows = assigned.length === 0 ? [] : await history.query<AudienceRow>(readableAudiences(assigned, MAX_AUDIENCES))
  const own = rows.map(({ audience }) => BigInt(audience)).filter((id) => id !== PUBLIC_AUDIENCE)
  return { audiences: [PUBLIC_AUDIENCE, ...own], own }
}
