/** A user's own key pairs (decisions 2.5, 16.1). Times are Unix seconds. */

import { Type } from 'typebox'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { CLOSED, idParam, seconds, unixSeconds, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserKeyPairs } from '../../services/sessions/key-pairs.ts'
import { BoundsShown, ChangedKeyBody, KeyShown, NewKeyBody, showBounds, showKeyPair } from './key-fields.ts'

/** How long an old secret may go on, in seconds. */
const MAX_GRACE = 86_400

const secret = Type.String({ description: 'Shown only once.' })

const MadeRecord = Type.Object({
  apiKey: Type.String(),
  apiSecret: secret,
  keyID: uuid,
  keyName: Type.String(),
  expireAt: unixSeconds,
  ...BoundsShown,
  verified: Type.Boolean(),
  verificationCodeID: Type.Union([uuid, Type.Null()], { description: 'null if the key pair is already verified.' }),
})

const OwnKey = Type.Object({
  ...KeyShown.properties,
  roles: Type.Array(Type.Enum([...ROLES])),
  groups: Type.Array(Type.String(), { description: 'all groups that the caller reads' }),
})

const RotateBody = Type.Object(
  {
    grace: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: MAX_GRACE,
      description: 'seconds for which the old secret stays valid',
    }),
  },
  CLOSED,
)

const PATH = '/auth/v2/keypair'
const own = { tag: 'Key pairs', access: 'authenticated', scope: 'account' } as const

export const keyPairRoutes = (keyPairs: UserKeyPairs, now: () => number): Route[] => [
  route({
    ...own,
    method: 'post',
    path: PATH,
    id: 'createKeyPair',
    summary:
      'Create a key pair; it may be narrowed to scopes, groups and networks. It is verified at once if the caller uses a session; otherwise a code is mailed.',
    codes: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
    examples: { body: { name: 'SIEM', days: 90, scopes: ['read', 'search'] } },
    audit: change('key.make', 'insert key_pairs', 'made'),
    body: NewKeyBody,
    responses: { 201: MadeRecord },
    handler: async ({ user, body, ip }) => {
      const pair = await keyPairs.make(user, body, ip)
      return reply(201, {
        apiKey: pair.apiKey,
        apiSecret: pair.apiSecret,
        keyID: pair.id,
        keyName: pair.name,
        expireAt: seconds(pair.expiresAt),
        ...showBounds(pair.bounds),
        verified: pair.verificationCodeId === null,
        verificationCodeID: pair.verificationCodeId,
      })
    },
  }),
  route({
    ...own,
    scope: null,
    method: 'get',
    path: PATH,
    id: 'getKeyPair',
    summary: 'Get the key pair that the caller uses.',
    codes: ['not_found'],
    responses: { 200: OwnKey },
    handler: async ({ user }) => {
      const { roles, groups } = user
      const pair = showKeyPair(await keyPairs.own(user), now())
      return reply(200, { ...pair, roles: [...roles], groups: [...groups] })
    },
  }),
  route({
    ...own,
    method: 'get',
    path: '/auth/v2/keypairs',
    id: 'listKeyPairs',
    summary: "List the key pairs of the caller's user, newest first.",
    responses: { 200: Type.Object({ keys: Type.Array(KeyShown) }) },
    handler: async ({ user }) => {
      const pairs = await keyPairs.list(user)
      return reply(200, { keys: pairs.map((pair) => showKeyPair(pair, now())) })
    },
  }),
  route({
    ...own,
    method: 'patch',
    path: `${PATH}/{id}`,
    id: 'narrowKeyPair',
    summary:
      "Narrow a key pair of the caller's user, or rename it. Fields that are not given stay unchanged. A key pair cannot be widened.",
    codes: ['forbidden', 'not_found'],
    examples: { body: { name: 'SIEM, lookups', scopes: ['search'], networks: ['203.0.113.0/24'] } },
    audit: change('key.narrow', 'update key_pairs', { param: 'id' }),
    params: idParam,
    body: ChangedKeyBody,
    responses: { 200: KeyShown },
    handler: async ({ user, params, body }) =>
      reply(200, showKeyPair(await keyPairs.change(user, params.id, body), now())),
  }),
  route({
    ...own,
    method: 'post',
    path: `${PATH}/{id}/rotate`,
    id: 'rotateKeyPair',
    summary: "Replace the secret of a key pair of the caller's user. The old secret can stay valid for up to 24 hours.",
    codes: ['forbidden', 'not_found'],
    examples: { body: { grace: 3600 } },
    audit: change('key.rotate', 'update key_pairs', { param: 'id' }),
    params: idParam,
    body: RotateBody,
    emptyBody: { grace: 0 },
    responses: { 200: Type.Object({ apiSecret: secret, ...KeyShown.properties }) },
    handler: async ({ user, params, body }) => {
      const { pair, apiSecret } = await keyPairs.rotate(user, params.id, body.grace)
      return reply(200, { apiSecret, ...showKeyPair(pair, now()) })
    },
  }),
  route({
    ...own,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'deleteKeyPair',
    summary: "Delete a key pair of the caller's user.",
    codes: ['forbidden', 'not_found'],
    audit: change('key.delete', 'key_pairs', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await keyPairs.remove(user, params.id)
      return reply(204)
    },
  }),
]
