/** Lists of feeds, bounded by what they hold. */

import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { FeedCaller } from '../../../schemas/feeds-out/rights.ts'
import type { Tables } from '../tables/tables.ts'
import { feedOf } from './feed-rows.ts'
import type { FeedDefinitions, FeedPage, NamedFeed } from './port.ts'

/** Of the selectors of one page: one may be as long as a body. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** As `isOwnersReader` decides it. */
export const ownersReader =
  ({ userId, customerId, groups }: FeedCaller) =>
  (where: ExpressionBuilder<Tables, 'feeds'>): Expression<SqlBool> => {
    const owned = (kind: string, id: string) => where.and([where('owner_kind', '=', kind), where('owner_id', '=', id)])
    return where.and([
      where.or([owned('user', userId), ...(customerId === null ? [] : [owned('customer', customerId)])]),
      sql<boolean>`groups <@ ${[...groups]}::text[]`,
    ])
  }

/** As `FeedDefinitions.list`: ids are ordered by time, so the newest first is the highest id first. */
export async function listFeeds(
  db: Kysely<Tables>,
  caller: FeedCaller,
  { after, limit }: Parameters<FeedDefinitions['list']>[1],
): Promise<FeedPage> {
  const sizes = await db
    .selectFrom('feeds')
    .select(['id', 'selector_bytes'])
    .where(ownersReader(caller))
    .$if(after !== null, (some) => some.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const ids = firstOf(sizes, limit)
  if (ids.length === 0) return { feeds: [], next: null }
  const rows = await db.selectFrom('feeds').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  return { feeds: rows.map(feedOf), next: ids.length < sizes.length ? ids.at(-1)! : null }
}

/** The first ids that fit into a page; one at least. */
function firstOf(sizes: readonly { id: string; selector_bytes: number }[], limit: number): string[] {
  const ids: string[] = []
  let bytes = 0
  for (const { id, selector_bytes: size } of sizes.slice(0, limit)) {
    bytes += size
    if (bytes > MAX_PAGE_BYTES && ids.length > 0) break
    ids.push(id)
  }
  return ids
}

/** As `FeedDefinitions.names`. */
export async function nameFeeds(db: Kysely<Tables>, caller: FeedCaller | null, limit: number): Promise<NamedFeed[]> {
  const select = (which: 'own' | 'open', most: number) =>
    db
      .selectFrom('feeds')
      .select(['id', 'name', 'description', 'accuracy_from'])
      .$if(caller !== null, (some) =>
        some.where((where) =>
          which === 'own' ? ownersReader(caller!)(where) : where.not(ownersReader(caller!)(where)),
        ),
      )
      .$if(which === 'open', (some) => some.where('open', '=', true))
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
  const own = caller === null ? [] : await select('own', limit)
  const open = own.length < limit ? await select('open', limit - own.length) : []
  return [...own, ...open].map(({ id, name, description, accuracy_from: accuracyFrom }) => ({
    id,
    name,
    description,
    accuracyFrom,
  }))
}
