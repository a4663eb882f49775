/** What claims give follows them at each sign-in; what was given by hand stays. */

import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { signOnArea } from '../../../../builders/accounts/sign-on/area.ts'
import { newCustomer } from '../../../../builders/accounts/team.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(signOnArea)

beforeEach(() => {
  const sub = randomUUID()
  area.issuer.person = { sub, email: `${sub}@example.com`, email_verified: true }
  area.mapping.now = { rules: [] }
})

/** The caller after a sign-in with these groups as a claim. */
async function signInWith(...groups: string[]) {
  area.issuer.person = { ...area.issuer.person, groups }
  const { told } = await area.browser().signIn()
  const { body } = await area.call('GET', '/auth/v2/user', told.bearer)
  return { ...body, bearer: told.bearer! }
}

/** A customer with an owner of its own. */
async function customer() {
  const ownerId = randomUUID()
  const user = { id: ownerId, email: `${ownerId}@example.com`, fullName: '', alias: '', createdAt: Date.now() }
  await area.accounts.createUser({ ...user, roles: ['user'], groups: ['public'] })
  const made = newCustomer(ownerId)
  expect(await area.team.createCustomer(made)).toBe(null)
  return { id: made.id, ownerId }
}

const member = (id: string, as: 'admin' | 'user' = 'user') => ({
  claim: 'groups',
  value: 'soc',
  customer: id,
  member: as,
})

test('roles and groups come with a claim, add to those by hand, and go with it', async () => {
  area.mapping.now = { rules: [{ claim: 'groups', value: 'soc', roles: ['reporter', 'trusted'], groups: ['soc'] }] }
  const first = await signInWith('soc')
  expect(first.roles).toEqual(['user', 'reporter', 'trusted'])
  expect(first.groups).toEqual(['public', 'soc'])
  await area.accounts.updateUser(first.userID, { addRole: 'reporter', groups: ['public', 'hand'] }, cause())
  const without = await signInWith()
  expect(without.roles).toEqual(['user', 'reporter'])
  expect(without.groups).toEqual(['hand', 'public'])
  // The session of before has no more than that either.
  const { body } = await area.call('GET', '/auth/v2/user', first.bearer)
  expect(body.roles).toEqual(['user', 'reporter'])
})

test('a membership comes accepted, changes with the claims and goes with them', async () => {
  const { id } = await customer()
  area.mapping.now = { rules: [member(id)] }
  const { userID } = await signInWith('soc')
  expect(await area.team.membership(userID)).toEqual({ customerId: id, role: 'user' })
  area.mapping.now = { rules: [member(id, 'admin')] }
  await signInWith('soc')
  expect(await area.team.membership(userID)).toMatchObject({ role: 'admin' })
  const other = await customer()
  area.mapping.now = { rules: [member(other.id)] }
  await signInWith('soc')
  expect(await area.team.membership(userID)).toMatchObject({ customerId: other.id, role: 'user' })
  await signInWith()
  expect(await area.team.membership(userID)).toBe(null)
})

test('a membership by hand stays, in whichever customer', async () => {
  const own = await customer()
  const mapped = await customer()
  const { userID } = await signInWith()
  await area.team.appoint({ customerId: own.id, userId: userID, role: 'user', membershipId: randomUUID() })
  area.mapping.now = { rules: [member(mapped.id, 'admin')] }
  await signInWith('soc')
  expect(await area.team.membership(userID)).toMatchObject({ customerId: own.id, role: 'user' })
  area.mapping.now = { rules: [member(own.id, 'admin')] }
  await signInWith('soc')
  await signInWith()
  expect(await area.team.membership(userID)).toMatchObject({ customerId: own.id, role: 'user' })
})

test('a mapped member who was made owner or admin by hand stays that', async () => {
  const { id, ownerId } = await customer()
  area.mapping.now = { rules: [member(id)] }
  const { userID } = await signInWith('soc')
  const change = { kind: 'transfer' } as const
  expect(await area.team.change({ caller: ownerId, target: userID, change, membershipId: '' })).toBe(null)
  await signInWith('soc')
  expect(await area.team.membership(userID)).toMatchObject({ role: 'owner' })
  await signInWith()
  expect(await area.team.membership(userID)).toMatchObject({ role: 'owner' })
})

test('a customer that is not there gives no membership, and the rest counts', async () => {
  area.mapping.now = { rules: [{ ...member(randomUUID()), roles: ['reporter'] }] }
  const { userID, roles } = await signInWith('soc')
  expect(roles).toEqual(['user', 'reporter'])
  expect(await area.team.membership(userID)).toBe(null)
})

test('the end of a link takes away what was mapped', async () => {
  const { id } = await customer()
  area.mapping.now = { rules: [{ ...member(id), roles: ['reporter'], groups: ['soc'] }] }
  const { userID, bearer } = await signInWith('soc')
  expect((await area.call('DELETE', '/auth/v2/oidc/link', bearer)).status).toBe(204)
  const { body } = await area.call('GET', '/auth/v2/user', bearer)
  expect(body).toMatchObject({ roles: ['user'], groups: ['public'] })
  expect(await area.team.membership(userID)).toBe(null)
})

test('groups that the issuer left out are not none: what they gave stays, and the log says so', async () => {
  area.mapping.now = { rules: [{ claim: 'groups', value: 'soc', roles: ['reporter'], groups: ['soc'] }] }
  await signInWith('soc')
  const { groups: _, ...person } = area.issuer.person
  area.issuer.person = { ...person, _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }
  const { told } = await area.browser().signIn()
  const { body } = await area.call('GET', '/auth/v2/user', told.bearer)
  expect(body.roles).toEqual(['user', 'reporter'])
  expect(body.groups).toEqual(['public', 'soc'])
  area.issuer.person = person
  const after = await area.browser().signIn()
  expect((await area.call('GET', '/auth/v2/user', after.told.bearer)).body.roles).toEqual(['user'])
})
