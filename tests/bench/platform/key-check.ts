/**
 * What it costs to accept a known key: CPU-microseconds a check, without bounds, within bounds, and hashing the secret alone.
 * Run: npm run bench -- key-check [checks] [networks of the key]
 */
import { loadavg } from 'node:os'
import { authorise, identification } from '../../../api/http/middleware/identity.ts'
import { cachedAccounts } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts, Credential } from '../../../connectors/postgres/accounts/users/port.ts'
import { identityOf } from '../../../connectors/postgres/accounts/users/user-rows.ts'
import { sameHash, secretHash } from '../../../schemas/accounts/credentials.ts'
import { type KeyBounds, UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'

const [CHECKS = 500_000, NETWORKS = 100] = process.argv.slice(2).map(Number)
const SECRET = 'Bwd7K_Qe2IZZEiFzrvKPLevQ9DjY48QD1MWzRqxa1lQ'
const ROUTE = { access: 'anyone', scope: 'search', whole: null } as const
const IPV4 = '10.3.1.7'
const IPV6 = '2001:db8:3:1::7'

const networks = Array.from({ length: NETWORKS }, (_, i) => (i % 2 === 0 ? `10.${i}.0.0/16` : `2001:db8:${i}::/48`))
const BOUNDED: KeyBounds = { scopes: ['read', 'search'], groups: ['soc'], networks: [...networks, '10.3.0.0/16'] }

const credentialOf = (bounds: KeyBounds): Credential => {
  const row = { user_id: 'u', roles: ['user'], groups: ['public', 'soc'], disabled: false }
  const user = { ...row, customer_id: null, accepted_at: null }
  const identity = identityOf(user, { kind: 'key pair', id: 'k' }, bounds)
  return { secretHash: secretHash(SECRET), previous: null, expiresAt: null, verified: true, identity }
}

/** Keys by what they are called; the store is asked once a second for each, as in the platform. */
const KEYS: Record<string, Credential> = { plain: credentialOf(UNBOUNDED), bounded: credentialOf(BOUNDED) }
const store = { keyPairCredential: async (key: string) => KEYS[key] ?? null } as Accounts
const identify = identification(cachedAccounts(store, Date.now), null, Date.now)

const checkOf = (key: string, ip: string) => async (): Promise<void> =>
  authorise(ROUTE, await identify({ 'api-key': key, 'api-secret': SECRET }, ip))

const known = secretHash(SECRET)
const CASES: Record<string, () => Promise<void>> = {
  'hash and compare alone': async () => {
    if (!sameHash(secretHash(SECRET), known)) throw new Error('another hash')
  },
  'without bounds': checkOf('plain', IPV4),
  'without bounds, IPv6': checkOf('plain', IPV6),
  'with bounds': checkOf('bounded', IPV4),
  'with bounds, IPv6': checkOf('bounded', IPV6),
}

/** CPU-microseconds of one, in this process, and of all of its threads. */
async function costOf(check: () => Promise<void>): Promise<number> {
  for (let i = 0; i < 20_000; i++) await check()
  const before = process.cpuUsage()
  for (let i = 0; i < CHECKS; i++) await check()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CHECKS
}

console.log(`${CHECKS} checks, ${NETWORKS} networks; load ${loadavg()[0]!.toFixed(1)}`)
for (const [name, check] of Object.entries(CASES))
  console.log(`${name.padEnd(26)} ${(await costOf(check)).toFixed(2)} CPU-us`)
