import { ownersOf } from '../../../../../schemas/accounts/identity/address-owner.ts'
import { client } from '../../../api/client.ts'
import { Problem } from '../../../api/problem.ts'

export const ROLES = ['owner', 'admin', 'user'] as const
export type Role = (typeof ROLES)[number]

/** Users whose address contains the one that was typed; whoever has more of them gives an id. */
const MOST = 100

/**
 * Adds a user to a customer.
 * @param named a user id, or an address that one user has verified
 * @throws Problem what the platform refuses, or that the address names nobody
 */
export async function addMember(customerId: string, named: string, role: Role): Promise<void> {
  const userID = named.includes('@') ? await userWith(named) : named
  await client.POST('/api/billing/v1/admin/customer/{id}/member', {
    params: { path: { id: customerId } },
    body: { userID, role },
  })
}

async function userWith(address: string): Promise<string> {
  const { data } = await client.GET('/auth/v2/admin/users', { params: { query: { query: address, limit: MOST } } })
  const { owners, entered } = ownersOf(data!.users, address)
  if (owners.length === 1) return owners[0]!.userID
  if (owners.length > 1) throw refused('several users have verified this address; give the id of one')
  throw refused(
    entered.length === 0
      ? 'no user has this address; the page Users shows all of them'
      : 'no user has verified this address; give the id of the user whom you mean',
  )
}

const refused = (message: string): Problem => new Problem(message, { status: 404, code: 'not_found', param: 'userID' })
