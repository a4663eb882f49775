/** Routes of the download tokens of a feed (decisions 11.5). */

import { Type } from 'typebox'
import { MAX_NETWORK_LENGTH, MAX_NETWORKS } from '../../../schemas/accounts/client-networks.ts'
import { change } from '../../../schemas/audit/action.ts'
import { MAX_TOKEN_DAYS } from '../../../schemas/feeds-out/download-token.ts'
import { CLOSED, idParam, seconds, unixSeconds, uuid } from '../../http/fields/common.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { TokenService } from '../services/tokens-service.ts'
import { FEEDS, feedName } from './feed-shapes.ts'

const network = Type.String({ minLength: 1, maxLength: MAX_NETWORK_LENGTH })

const NewToken = Type.Object(
  {
    name: feedName,
    days: Type.Integer({ minimum: 1, maximum: MAX_TOKEN_DAYS, description: 'days until it expires' }),
    networks: Type.Optional(
      Type.Array(network, {
        minItems: 1,
        maxItems: MAX_NETWORKS,
        description: 'networks or addresses that it may be used from; default: any',
      }),
    ),
  },
  CLOSED,
)

const Shown = Type.Object({
  tokenID: uuid,
  name: feedName,
  networks: Type.Array(network, { description: 'empty: from anywhere' }),
  createdAt: Type.String({ format: 'date-time' }),
  expireAt: unixSeconds,
})

/** An example of a download token. */
export const TOKEN_WORDS: JsonObject = {
  name: 'Edge firewall, Berlin',
  days: 90,
  networks: ['203.0.113.0/24'],
  token: 'a-token-that-is-shown-once',
  expireAt: 1780142400,
}

const common = {
  tag: 'Feeds',
  access: 'user',
  scope: 'feeds:write',
  limit: { service: 'feeds-api', features: ['feeds_per_minute'] },
} as const

const PATH = `${FEEDS}/feeds/{id}/tokens`

export const tokenRoutes = (tokens: TokenService): Route[] => [
  route({
    ...common,
    method: 'post',
    path: PATH,
    id: 'createDownloadToken',
    summary:
      'Create a download token, with which a device can read only this feed. The token is shown only in this response.',
    codes: ['not_found', 'conflict'],
    examples: { words: TOKEN_WORDS },
    audit: change('token.make', 'feed_tokens', 'made'),
    params: idParam,
    body: NewToken,
    responses: { 201: Type.Object({ token: Type.String(), tokenID: uuid, expireAt: unixSeconds }) },
    handler: async ({ user, params, body }) => {
      const { token, id, expiresAt } = await tokens.create(user, params.id, body)
      return reply(201, { token, tokenID: id, expireAt: seconds(expiresAt) })
    },
  }),
  route({
    ...common,
    scope: 'feeds:read',
    method: 'get',
    path: PATH,
    id: 'listDownloadTokens',
    summary: 'List the download tokens of a feed that have not ended, newest first.',
    codes: ['not_found'],
    examples: { words: TOKEN_WORDS },
    params: idParam,
    responses: { 200: Type.Object({ items: Type.Array(Shown) }) },
    handler: async ({ user, params }) => {
      const all = await tokens.list(user, params.id)
      const items = all.map(({ id, name, networks, createdAt, expiresAt }) => ({
        tokenID: id,
        name,
        networks,
        createdAt: new Date(createdAt).toISOString(),
        expireAt: seconds(expiresAt),
      }))
      return reply(200, { items })
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/{tokenID}`,
    id: 'deleteDownloadToken',
    summary: 'Revoke a download token.',
    codes: ['not_found'],
    audit: change('token.delete', 'feed_tokens', { param: 'tokenID' }),
    params: Type.Object({ id: uuid, tokenID: uuid }),
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await tokens.revoke(user, params.id, params.tokenID)
      return reply(204)
    },
  }),
]
