/** Download tokens as SQL. */

import type { Kysely } from 'kysely'
import { boundsOf, identityOf, usersWithRights } from '../accounts/users/user-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import { ownerKind, tokenOf, tokenRow } from './feed-rows.ts'
import type { DownloadTokens } from './port.ts'

const SHOWN = ['id', 'feed_id', 'made_by', 'name', 'networks', 'expires_at', 'created_at'] as const

export function kyselyDownloadTokens(db: Kysely<Tables>): DownloadTokens {
  return {
    add: (token, max) =>
      db.transaction().execute(async (tx) => {
        // Whoever adds to the same feed waits here: the count stays true until the row is in.
        const feed = tx.selectFrom('feeds').select('id').where('id', '=', token.feedId).forNoKeyUpdate()
        if ((await feed.executeTakeFirst()) === undefined) return 'no feed'
        await tx
          .deleteFrom('feed_tokens')
          .where('feed_id', '=', token.feedId)
          .where('expires_at', '<=', new Date(token.createdAt))
          .execute()
        const there = tx.selectFrom('feed_tokens').select('id').where('feed_id', '=', token.feedId).limit(max)
        if ((await there.execute()).length >= max) return 'full'
        if (token.keyPairId !== null) {
          // Its deletion waits until the token is in, and takes it along.
          const key = tx.selectFrom('key_pairs').select('id').where('id', '=', token.keyPairId).forKeyShare()
          if ((await key.executeTakeFirst()) === undefined) return 'no key'
        }
        await tx.insertInto('feed_tokens').values(tokenRow(token)).execute()
        return 'added'
      }),

    async list(feedId, now) {
      const rows = await db
        .selectFrom('feed_tokens')
        .select(SHOWN)
        .where('feed_id', '=', feedId)
        .where('expires_at', '>', new Date(now))
        .orderBy('id', 'desc')
        // As many as one feed is given, and no more than one answer should hold.
        .limit(1_000)
        .execute()
      return rows.map(tokenOf)
    },

    async revoke(feedId, id) {
      const gone = db.deleteFrom('feed_tokens').where('feed_id', '=', feedId).where('id', '=', id).returning('id')
      return (await gone.executeTakeFirst()) !== undefined
    },

    async find(tokenHash) {
      const row = await db
        .selectFrom('feed_tokens as token')
        .innerJoin('feeds', 'feeds.id', 'token.feed_id')
        .leftJoin(usersWithRights(db).as('maker'), 'maker.user_id', 'token.made_by')
        .leftJoin('key_pairs', 'key_pairs.id', 'token.key_pair_id')
        .select(SHOWN.map((column) => `token.${column}` as const))
        .select(['feeds.owner_kind', 'feeds.owner_id', 'feeds.groups as feed_groups', 'feeds.open'])
        .select(['maker.user_id', 'maker.roles', 'maker.groups', 'maker.disabled', 'maker.customer_id'])
        .select([
          'key_pairs.scopes as key_scopes',
          'key_pairs.groups as key_groups',
          'key_pairs.networks as key_networks',
        ])
        .select('key_pairs.expires_at as key_expires_at')
        .where('token.token_hash', '=', tokenHash)
        .executeTakeFirst()
      if (row === undefined) return null
      const { user_id, roles, groups, disabled } = row
      const known = user_id !== null && roles !== null && groups !== null && disabled !== null
      return {
        token: tokenOf(row),
        feed: {
          owner: { kind: ownerKind(row.owner_kind), id: row.owner_id },
          groups: row.feed_groups,
          open: row.open,
        },
        maker: known ? identityOf({ ...row, user_id, roles, groups, disabled }, null, boundsOf(row)) : null,
        keyExpiresAt: row.key_expires_at?.getTime() ?? null,
      }
    },
  }
}
