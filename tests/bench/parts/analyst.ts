import { secretHash } from '../../../schemas/accounts/credentials.ts'
import { noAccounts } from '../../builders/api/ports.ts'

const SECRET = 'secret-of-the-bench-0123456789'

/** Accounts with one key pair for every name, which may read what these groups may, and the headers of a caller. */
export function analyst(groups: readonly string[]) {
  const accounts = {
    ...noAccounts,
    keyPairCredential: async (userId: string) => ({
      secretHash: secretHash(SECRET),
      previous: null,
      expiresAt: null,
      verified: true,
      identity: {
        userId,
        roles: [],
        ownGroups: [],
        groups: [...groups],
        customerId: null,
        chargedCustomerId: null,
        disabled: false,
        accepted: true,
        builtIn: false,
        bounds: null,
        by: null,
      },
    }),
  }
  const headersOf = (name: string) => ({ 'api-key': name, 'api-secret': SECRET })
  return { accounts, headersOf, headers: headersOf('analyst') }
}
