/** A user's own key pairs (decisions 2.5). Times are Unix seconds. */

import { Type } from 'typebox'
import type { KeyPairRecord } from '../../../../connectors/postgres/sessions/port.ts'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { CLOSED, idParam, seconds, text, unixSeconds, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserKeyPairs } from '../../services/sessions/key-pairs.ts'

const KeyBody = Type.Object({ name: text(1, 100), days: Type.Integer({ minimum: 1, maximum: 3650 }) }, CLOSED)

const MadeRecord = Type.Object({
  apiKey: Type.String(),
  apiSecret: Type.String({ description: 'Shown only once.' }),
  keyID: uuid,
  keyName: Type.String(),
  expireAt: unixSeconds,
  verified: Type.Boolean(),
  verificationCodeID: Type.Union([uuid, Type.Null()], { description: 'null if the key pair is already verified.' }),
})

const KeyShown = Type.Object({
  keyID: uuid,
  keyName: Type.String(),
  apiKey: Type.String(),
  verified: Type.Boolean(),
  createdAt: unixSeconds,
  expireAt: Type.Union([unixSeconds, Type.Null()], { description: 'null: does not expire.' }),
})

const OwnKey = Type.Object({
  ...KeyShown.properties,
  roles: Type.Array(Type.Enum([...ROLES])),
  groups: Type.Array(Type.String(), { description: 'all groups that the caller reads' }),
})

const showKeyPair = ({ id, name: keyName, apiKey, verified, createdAt, expiresAt }: KeyPairRecord) => ({
  keyID: id,
  keyName,
  apiKey,
  verified,
  createdAt: seconds(createdAt),
  expireAt: expiresAt === null ? null : seconds(expiresAt),
})

const PATH = '/auth/v2/keypair'
const own = { tag: 'Key pairs', access: 'authenticated' } as const

export const keyPairRoutes = (keyPairs: UserKeyPairs): Route[] => [
  route({
    ...own,
    method: 'post',
    path: PATH,
    summary: 'Create a key pair. Verified at once if the caller uses a session; otherwise a code is mailed.',
    body: KeyBody,
    responses: { 201: MadeRecord },
    handler: async ({ user, body, ip }) => {
      const pair = await keyPairs.make(user, body.name, body.days, ip)
      return reply(201, {
        apiKey: pair.apiKey,
        apiSecret: pair.apiSecret,
        keyID: pair.id,
        keyName: pair.name,
        expireAt: seconds(pair.expiresAt),
        verified: pair.verificationCodeId === null,
        verificationCodeID: pair.verificationCodeId,
      })
    },
  }),
  route({
    ...own,
    method: 'get',
    path: PATH,
    summary: 'Get the key pair that the caller uses.',
    responses: { 200: OwnKey },
    handler: async ({ user }) => {
      const { roles, groups } = user
      return reply(200, { ...showKeyPair(await keyPairs.own(user)), roles: [...roles], groups: [...groups] })
    },
  }),
  route({
    ...own,
    method: 'get',
    path: '/auth/v2/keypairs',
    summary: "List the key pairs of the caller's user, newest first.",
    responses: { 200: Type.Object({ keys: Type.Array(KeyShown) }) },
    handler: async ({ user }) => reply(200, { keys: (await keyPairs.list(user)).map(showKeyPair) }),
  }),
  route({
    ...own,
    method: 'delete',
    path: `${PATH}/{id}`,
    summary: "Delete a key pair of the caller's user.",
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await keyPairs.remove(user, params.id)
      return reply(204)
    },
  }),
]
