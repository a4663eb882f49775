/** Users by mail address and customers by name, where a command takes an id. */

import { ownersOf } from '../../../schemas/accounts/identity/address-owner.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { pathOf } from './context.ts'
import type { AdminRequest } from './server-context.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PAGE = 100
/** Pages that are looked through; whoever has more customers names an id. */
const MAX_PAGES = 1_000

type User = { userID: string; emails: { address: string; verified: boolean }[] }
type Customer = { id: string; name: string; email: string }

/**
 * The id of a user who is named by id or by mail address.
 * @throws UsageError when no user, or more than one, is meant
 */
export async function userIdOf(ask: AdminRequest, named: string): Promise<string> {
  if (!named.includes('@')) return named
  const found: User[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
    const query = new URLSearchParams({ query: named, page: `${page}`, limit: `${PAGE}` })
    const answer = (await ask('GET', `/auth/v2/admin/users?${query}`)) as { users: User[]; pages: number }
    pages = answer.pages
    found.push(...answer.users)
  }
  const { owners, entered } = ownersOf(found, named)
  if (owners.length === 1) return owners[0]!.userID
  if (owners.length > 1)
    throw ambiguous(
      named,
      'users',
      owners.map(({ userID }) => userID),
    )
  if (entered.length === 0) throw new UsageError(`no user has the address ${named}; harrier user list shows all users`)
  const ids = entered.map(({ userID }) => userID).join(', ')
  throw new UsageError(
    `no user has verified the address ${named}; to choose a user who entered it, give the id: ${ids}`,
  )
}

/**
 * The id of a customer who is named by id, by name or by mail address; letters are compared without their case.
 * @throws UsageError when no customer, or more than one, is meant
 */
export async function customerIdOf(ask: AdminRequest, named: string): Promise<string> {
  if (UUID.test(named)) return named
  const wanted = named.trim().toLowerCase()
  const found: Customer[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
    const query = new URLSearchParams({ page: `${page}`, limit: `${PAGE}` })
    const answer = (await ask('GET', `/api/billing/v1/admin/customers?${query}`)) as Customers
    pages = answer.pages
    found.push(...answer.customers.filter((one) => [one.name, one.email].some((own) => own.toLowerCase() === wanted)))
  }
  if (found.length === 1) return found[0]!.id
  if (found.length > 1)
    throw ambiguous(
      named,
      'customers',
      found.map(({ id }) => id),
    )
  throw new UsageError(`no customer has the name or the address ${named}; harrier customer list shows all customers`)
}

type Customers = { customers: Customer[]; pages: number }

const ambiguous = (named: string, what: string, ids: readonly string[]): UsageError =>
  new UsageError(`${ids.length} ${what} are called ${named}; give the id of the one you mean: ${ids.join(', ')}`)

/** The path of what is done with a user. */
export const userPath = async (ask: AdminRequest, named: string): Promise<string> =>
  pathOf`/auth/v2/admin/user/${await userIdOf(ask, named)}`

/** The path of what is done with a customer. */
export const customerPath = async (ask: AdminRequest, named: string): Promise<string> =>
  pathOf`/api/billing/v1/admin/customer/${await customerIdOf(ask, named)}`
