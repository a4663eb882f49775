/** Fields of key pairs in bodies and answers (decisions 2.5, 16.1). */

import { Type } from 'typebox'
import type { KeyPairRecord } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import { MAX_NETWORK_LENGTH, MAX_NETWORKS } from '../../../../schemas/accounts/client-networks.ts'
import type { KeyBounds } from '../../../../schemas/accounts/key-bounds.ts'
import { SCOPES } from '../../../../schemas/accounts/scopes.ts'
import { MAX_GROUP_LENGTH, MAX_GROUPS } from '../../../../schemas/intelligence/observations/audience.ts'
import { CLOSED, seconds, text, unixSeconds, uuid } from '../../../http/fields/common.ts'
import { MAX_KEY_DAYS } from '../../services/sessions/key-requests.ts'

const scope = Type.Enum([...SCOPES])
const group = Type.String({ minLength: 1, maxLength: MAX_GROUP_LENGTH })
const network = Type.String({ minLength: 1, maxLength: MAX_NETWORK_LENGTH })

/** What a request names. What it does not name is not bounded, or stays as it is. */
const wanted = {
  scopes: Type.Optional(
    Type.Array(scope, {
      minItems: 1,
      maxItems: SCOPES.length,
      description: 'scopes that it may use; each route names its scope in `x-scope`',
    }),
  ),
  groups: Type.Optional(
    Type.Array(group, {
      minItems: 1,
      maxItems: MAX_GROUPS,
      description: 'groups of its user for which it may read and report',
    }),
  ),
  networks: Type.Optional(
    Type.Array(network, {
      minItems: 1,
      maxItems: MAX_NETWORKS,
      description: 'networks or addresses that it may be used from',
    }),
  ),
}

/** Room for any time that is refused by a better message. */
const expireAt = Type.Integer({
  minimum: 0,
  maximum: 99_999_999_999,
  description: 'Unix seconds, at least 60 seconds from now',
})

export const NewKeyBody = Type.Object(
  {
    name: text(1, 100),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_KEY_DAYS,
        description: 'days until it expires; required unless `expireAt` is given',
      }),
    ),
    expireAt: Type.Optional(expireAt),
    ...wanted,
  },
  CLOSED,
)

export const ChangedKeyBody = Type.Object(
  { name: Type.Optional(text(1, 100)), ...wanted, expireAt: Type.Optional(expireAt) },
  CLOSED,
)

const orAll = <T extends typeof scope | typeof group>(of: T, description: string) =>
  Type.Union([Type.Array(of), Type.Null()], { description })

/** What a key was narrowed to. */
const scopesShown = orAll(scope, 'null: all')
const networksShown = orAll(network, 'null: any')
const previousSecretUntil = Type.Union([unixSeconds, Type.Null()], {
  description: 'time until which the secret before the last rotation also works; null: it no longer works',
})

export const BoundsShown = {
  scopes: scopesShown,
  groups: orAll(group, 'null: all groups of its user'),
  networks: networksShown,
}

export const KeyShown = Type.Object({
  keyID: uuid,
  keyName: Type.String(),
  apiKey: Type.String(),
  verified: Type.Boolean(),
  createdAt: unixSeconds,
  expireAt: Type.Union([unixSeconds, Type.Null()], { description: 'null: does not expire.' }),
  ...BoundsShown,
  previousSecretUntil,
})

export const showBounds = ({ scopes, groups, networks }: KeyBounds) => ({
  scopes: scopes && [...scopes],
  groups: groups && [...groups],
  networks: networks && [...networks],
})

/** Unix milliseconds of an end that has passed are of no use to anybody. */
export const shownUntil = (previousUntil: number | null, now: number): number | null =>
  previousUntil === null || previousUntil <= now ? null : previousUntil

export const showKeyPair = (pair: KeyPairRecord, now: number) => {
  const until = shownUntil(pair.previousUntil, now)
  return {
    keyID: pair.id,
    keyName: pair.name,
    apiKey: pair.apiKey,
    verified: pair.verified,
    createdAt: seconds(pair.createdAt),
    expireAt: pair.expiresAt === null ? null : seconds(pair.expiresAt),
    ...showBounds(pair.bounds),
    previousSecretUntil: until === null ? null : seconds(until),
  }
}
