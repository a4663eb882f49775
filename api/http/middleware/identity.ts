/** Who is calling (specification 5, decisions 2.1): a bearer token, or a key with its secret. */

import type { Middleware } from 'koa'
import type { Accounts, Credential } from '../../../connectors/postgres/accounts/users/port.ts'
import { type Identity, ROLES } from '../../../schemas/accounts/accounts.ts'
import { sameHash, secretHash } from '../../../schemas/accounts/credentials.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { knownBlock } from '../addresses/known-addresses.ts'
import { attempting } from '../audit/attempts.ts'
import { ApiError } from '../errors.ts'
import type { Identify, Route } from '../route.ts'
import { checkNetwork, checkScope, checkWhole } from './bounds.ts'
import { failures } from './failures.ts'

/** The administrator of the configuration (decisions 2.7): every role, no row, this id. */
export const BUILT_IN_ADMINISTRATOR: Identity = {
  userId: '00000000-0000-4000-8000-000000000001',
  roles: ROLES,
  ownGroups: [PUBLIC],
  groups: [PUBLIC],
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: true,
  bounds: null,
  by: null,
}

export type AdministratorKey = { key: string; secret: string }

/** Longest credential that is looked at; ours are far shorter. */
const MAX_CREDENTIAL = 512

/** Compared with when there is no such key, so that the answer takes as long as for a wrong secret. */
const NOBODY = secretHash('')

/** Wrong secrets for one key from one address. A client with an old secret that is busy stays far below. */
const MAX_GUESSES = 300
const GUESSES_MS = 60 * 1000

/** Headers that a gateway may add and a caller must not (specification 5.3): gone before anything reads them. */
export const dropGatewayHeaders: Middleware = (ctx, next) => {
  const { headers } = ctx.req
  if (headers['user-id'] !== undefined) delete headers['user-id']
  if (headers.groups !== undefined) delete headers.groups
  return next()
}

/**
 * The identity behind the headers, null for a caller without credentials.
 * Throws 401 for half a pair, both kinds at once, unknown, wrong, expired or unverified ones, and for a disabled user;
 * 429 for a key with too many wrong secrets from that address, 403 for an address outside of the networks of the key.
 */
export function identification(
  accounts: Accounts,
  administrator: AdministratorKey | null,
  now: () => number,
): Identify {
  const admin = administrator && { key: administrator.key, secretHash: secretHash(administrator.secret) }
  const guesses = failures({ max: MAX_GUESSES, withinMs: GUESSES_MS, now })

  const byKeyPair = async (key: string, secret: string, ip: string): Promise<Identity> => {
    const given = secretHash(secret)
    // A key is a name, not a secret: it may be compared as fast as it will.
    if (admin !== null && key === admin.key) {
      if (sameHash(given, admin.secretHash)) return BUILT_IN_ADMINISTRATOR
      throw new ApiError('unauthorized')
    }
    const credential = await accounts.keyPairCredential(key)
    const fits = sameHash(given, credential?.secretHash ?? NOBODY) || isOldSecret(credential, given, now())
    return attempting(credential?.identity.by?.id, () => acceptCredential(fits ? credential : null, now(), ip))
  }

  const byBearer = async (token: string, ip: string): Promise<Identity> =>
    acceptCredential(await accounts.sessionCredential(secretHash(token)), now(), ip)

  return async (headers, ip) => {
    const { authorization, 'api-key': key, 'api-secret': secret } = headers
    if (authorization === undefined && key === undefined && secret === undefined) return null
    if (authorization !== undefined) {
      if (key !== undefined || secret !== undefined) throw bothKinds()
      const token = /^bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1]
      if (token === undefined || token.length > MAX_CREDENTIAL) throw new ApiError('unauthorized')
      return await byBearer(token, ip)
    }
    if (typeof key !== 'string' || typeof secret !== 'string') throw halfAPair()
    if (key.length > MAX_CREDENTIAL || secret.length > MAX_CREDENTIAL) throw new ApiError('unauthorized')
    const name = `${knownBlock(ip)} ${key}`
    guesses.admit(name)
    try {
      return await byKeyPair(key, secret, ip)
    } catch (error) {
      guesses.note(name, error)
      throw error
    }
  }
}

export const bothKinds = () =>
  new ApiError('unauthorized', { message: 'use either a bearer token or api-key and api-secret, not both' })

const halfAPair = () => new ApiError('unauthorized', { message: 'api-key and api-secret are required together' })

/** Whether it is the secret from before a rotation, while that still works. */
function isOldSecret(credential: Credential | null, given: Buffer, now: number): boolean {
  const previous = credential?.previous ?? null
  if (previous === null || previous.secretHash === null || previous.until <= now) return false
  return sameHash(given, previous.secretHash)
}

/**
 * Who credentials stand for now, for a client at that address. Throws 401 for none, unverified or expired ones, and for a
 * disabled user; 403 for an address outside of the networks of a key.
 */
export function acceptCredential(credential: Credential | null, now: number, ip: string): Identity {
  if (credential === null || !credential.verified || credential.identity.disabled) throw new ApiError('unauthorized')
  if (credential.expiresAt !== null && credential.expiresAt <= now) throw new ApiError('unauthorized')
  checkNetwork(credential.identity, ip)
  return credential.identity
}

/**
 * The one place that decides a right (decisions 16.1): throws 401 for a missing caller, 403 for a key without the scope
 * of the route, also where anonymous callers may come, 403 for a missing role, and 403 for a narrowed key where the route
 * reaches further.
 */
export function authorise(
  { access, scope, whole }: Pick<Route, 'access' | 'scope' | 'whole'>,
  user: Identity | null,
): void {
  if (access === 'open') return
  if (user === null) {
    if (access === 'anyone') return
    throw new ApiError('unauthorized')
  }
  checkScope(user, scope)
  if (access !== 'anyone' && access !== 'authenticated' && !user.roles.includes(access)) {
    throw new ApiError('forbidden', { message: `the role ${access} is required` })
  }
  checkWhole(user, whole)
}
