import { expect, test } from 'vitest'
import { customerIdOf, userIdOf } from '../../../../../cli/commands/admin/find.ts'
import type { AdminRequest } from '../../../../../cli/commands/admin/server-context.ts'

const address = (text: string, verified = true) => ({ address: text, verified })
const users = [
  { userID: 'u1', emails: [address('other@example.com'), address('ada@example.com')] },
  { userID: 'u2', emails: [address('ada@example.com', false)] },
  { userID: 'u3', emails: [address('new@example.com', false)] },
  { userID: 'u4', emails: [address('two@example.com')] },
  { userID: 'u5', emails: [address('two@example.com')] },
  { userID: 'u6', emails: [address('xada@example.com')] },
]
const customers = [
  { id: 'c1', name: 'Acme', email: 'billing@acme.example' },
  { id: 'c2', name: 'Twins', email: 'a@twins.example' },
  { id: 'c3', name: 'twins', email: 'b@twins.example' },
]

/** One record a page, so that every page has to be read. */
const ask: AdminRequest = async (_method, path) => {
  const { pathname, searchParams } = new URL(path, 'http://x')
  const query = (searchParams.get('query') ?? '').toLowerCase()
  const isUsers = pathname === '/auth/v2/admin/users'
  const all = isUsers ? users.filter(({ emails }) => emails.some((one) => one.address.includes(query))) : customers
  const at = Number(searchParams.get('page')) - 1
  return { [isUsers ? 'users' : 'customers']: all.slice(at, at + 1), items: all.length, pages: all.length }
}

test.each([
  ['an id', 'u1', 'u1'],
  ['an address that one user has verified, in any case', 'ADA@example.com', 'u1'],
])('a user is found by %s', async (_, named, id) => {
  expect(await userIdOf(ask, named)).toBe(id)
})

test.each([
  ['nobody@example.com', 'no user has the address nobody@example.com; harrier user list shows all users'],
  [
    'new@example.com',
    'no user has verified the address new@example.com; to choose a user who entered it, give the id: u3',
  ],
  ['two@example.com', '2 users are called two@example.com; give the id of the one you mean: u4, u5'],
])('%s is refused with what to do', async (named, says) => {
  await expect(userIdOf(ask, named)).rejects.toMatchObject({ message: says, exitCode: 2 })
})

test.each([
  ['a name, in any case', 'acme', 'c1'],
  ['an address', 'b@twins.example', 'c3'],
  ['an id', '0199d3a4-5b6c-7d8e-9f00-112233445566', '0199d3a4-5b6c-7d8e-9f00-112233445566'],
])('a customer is found by %s', async (_, named, id) => {
  expect(await customerIdOf(ask, named)).toBe(id)
})

test.each([
  ['Nobody', 'no customer has the name or the address Nobody; harrier customer list shows all customers'],
  ['Twins', '2 customers are called Twins; give the id of the one you mean: c2, c3'],
])('the customer %s is refused with what to do', async (named, says) => {
  await expect(customerIdOf(ask, named)).rejects.toMatchObject({ message: says, exitCode: 2 })
})
