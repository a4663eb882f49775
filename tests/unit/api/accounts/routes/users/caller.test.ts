import { expect, test } from 'vitest'
import { ROLES } from '../../../../../../schemas/accounts/accounts.ts'
import { person } from '../../../../../builders/accounts/people.ts'
import { embeddedPeople, newCustomer } from '../../../../../builders/accounts/team.ts'
import { asAdmin, startApi } from '../../../../../builders/api/api.ts'
import { bearer, newEmail, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const people = during(embeddedPeople)
const api = during(() => startApi({ accounts: people.accounts, team: people.team }))

const me = async (headers: Record<string, string>, url = api.url) => {
  const response = await fetch(`${url}/auth/v2/user`, { headers })
  return { status: response.status, body: await response.json() }
}

test('a user without a customer is told its account, roles and groups', async () => {
  const ada = { email: 'ada@example.com', fullName: 'Ada', alias: 'al' }
  const { id, headers } = await person(people.accounts, { ...ada, roles: ['reporter', 'user'], groups: ['red'] })
  const told = {
    roles: ['user', 'reporter'],
    groups: ['public', 'red'],
    administrator: false,
    customer: null,
    invitations: [],
  }
  expect(await me(headers)).toEqual({ status: 200, body: { userID: id, ...ada, ...told, session: false } })
})

test('a member is told its customer, its role there and the group that comes with it', async () => {
  const { id, headers } = await person(people.accounts)
  const customer = newCustomer(id, { name: 'Acme Ltd' })
  await people.team.createCustomer(customer)
  expect((await me(headers)).body).toMatchObject({
    groups: [`customer-${customer.id}`, 'public'],
    customer: { customerID: customer.id, name: 'Acme Ltd', role: 'owner' },
  })
})

test('the administrator of the configuration has every role and no account', async () => {
  expect((await me(asAdmin)).body).toEqual({
    userID: expect.any(String),
    email: null,
    fullName: '',
    alias: '',
    roles: [...ROLES],
    groups: ['public'],
    administrator: true,
    customer: null,
    invitations: [],
    session: false,
  })
})

test('who comes with a session is told so', async () => {
  const area = await sessionArea()
  try {
    const email = newEmail()
    const { body } = await area.register(email)
    await area.verify(body.verificationCodeID as string, area.mail.codeFor(email))
    const told = await area.call('GET', '/auth/v2/user', { headers: bearer(body.bearer as string) })
    expect(told).toMatchObject({ status: 200, body: { email, roles: ['user'], administrator: false, session: true } })
  } finally {
    await area.close()
  }
})

test('whose account is gone while it asks is nobody', async () => {
  const { headers } = await person(people.accounts)
  const accounts = { ...people.accounts, user: async () => null }
  const other = await startApi({ accounts, team: people.team })
  try {
    expect((await me(headers, other.url)).status).toBe(401)
  } finally {
    await other.close()
  }
})
