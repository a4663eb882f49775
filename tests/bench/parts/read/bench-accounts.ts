import { cachedAccounts } from '../../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import { secretHash } from '../../../../schemas/accounts/credentials.ts'
import { noAccounts } from '../../../builders/api/ports.ts'

/** One reporter in the group `public`, whose secret is `secret`, whatever the key. */
export function benchAccounts(): Accounts {
  const identity = {
    userId: '00000000-0000-4000-8000-000000000002',
    roles: ['reporter'] as const,
    ownGroups: ['public'],
    groups: ['public'],
    customerId: null,
    chargedCustomerId: null,
    disabled: false,
    accepted: true,
    builtIn: false,
    bounds: null,
    by: null,
  }
  const credential = { secretHash: secretHash('secret'), previous: null, expiresAt: null, verified: true, identity }
  return cachedAccounts({ ...noAccounts, keyPairCredential: async () => credential }, Date.now)
}
