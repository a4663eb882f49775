import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiPorts } from '../../../../../../api/app.ts'
import { kyselyCounters } from '../../../../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { kyselyEmails } from '../../../../../../connectors/postgres/accounts/users/email-store.ts'
import { type Mailbox, mailbox } from '../../../../../builders/accounts/mailbox.ts'
import { type Person, person } from '../../../../../builders/accounts/people.ts'
import {
  ADDRESS,
  type Crew,
  crew,
  embeddedPeople,
  newCustomer,
  type People,
} from '../../../../../builders/accounts/team.ts'
import { errorOf, type RunningApi, startApi } from '../../../../../builders/api/api.ts'

const CUSTOMER = '/api/billing/v1/customer'

let people: People
let api: RunningApi
let mail: Mailbox
let team: Crew
/** Every call of a port while it is not null, in order. */
let work: string[] | null = null
beforeAll(async () => {
  people = await embeddedPeople()
  mail = mailbox()
  api = await startApi({
    accounts: recorded('accounts', people.accounts),
    team: recorded('team', people.team),
    emails: recorded('emails', kyselyEmails(people.db)),
    mailer: recorded('mailer', mail),
    limits: limitLeases(kyselyCounters(people.db), Date.now),
  })
})
beforeEach(async () => {
  team = await crew(people)
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

function recorded<P extends ApiPorts['team' | 'accounts' | 'emails' | 'mailer']>(name: string, port: P): P {
  return new Proxy(port, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        work?.push(`${name}.${String(key)}`)
        return member.apply(target, given)
      }
    },
  })
}

const call = (caller: Person, method: string, path: string, body?: unknown) =>
  fetch(`${api.url}${CUSTOMER}/${path}`, {
    method,
    headers: { ...caller.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const invite = (email: string, caller = team.owner) => call(caller, 'POST', 'member', { email })
const emailOf = async ({ id }: Person) => (await people.accounts.user(id))!.email
const nobody = () => `${randomUUID()}@example.com`
const invitationTo = (address: string) =>
  /#invitation=([\w-]+)/.exec(mail.mails.findLast(({ to }) => to === address)?.text ?? '')?.[1]
const take = (user: Person, invitation: string | undefined) => call(user, 'POST', 'accept', { invitation })

type Waiting = { invitations: Record<string, string>[]; items: number; pages: number }
const waiting = async (caller = team.owner) => (await (await call(caller, 'GET', 'invitations')).json()) as Waiting

test('the answer, and the work before it, are the same with and without an account', async () => {
  const member = await emailOf(team.user)
  const stranger = await emailOf(await person(people.accounts))
  const seen = []
  for (const address of [nobody(), stranger, member, stranger.toUpperCase()]) {
    work = []
    const response = await invite(address)
    seen.push({ status: response.status, body: await response.json(), work })
    work = null
  }
  const [first, ...others] = seen
  expect(first).toMatchObject({ status: 201, body: { message: 'acknowledged' } })
  expect(first!.work).toContain('mailer.send')
  expect(first!.work!.filter((step) => step.startsWith('emails.'))).toEqual([])
  for (const other of others) expect(other).toEqual(first)
})

test('a sixth one of a day takes the way of a mail without a mail', async () => {
  const address = nobody()
  for (let i = 0; i < 5; i++) expect((await invite(address)).status).toBe(201)
  const probes = mail.probes
  expect((await invite(address)).status).toBe(201)
  expect(mail.probes).toBe(probes + 1)
  expect(mail.mails.filter(({ to }) => to === address)).toHaveLength(5)
  expect(await waiting()).toMatchObject({ items: 1 })
})

test('while no mail can be sent, none waits, all are refused alike, and none counts', async () => {
  const [full, fresh] = [nobody(), nobody()]
  for (let i = 0; i < 5; i++) await invite(full)
  const before = await waiting()
  mail.down = true
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await invite(fresh)).status, (await invite(full)).status)
  mail.down = false
  expect(new Set(statuses)).toEqual(new Set([500]))
  expect(await waiting()).toEqual(before)
  await invite(fresh)
  expect(invitationTo(fresh)).toBeDefined()
})

test('owners and admins list what waits and take it back; others do not', async () => {
  const [address, user] = [nobody(), await person(people.accounts)]
  await invite(address.toUpperCase(), team.admin)
  await invite(await emailOf(user))
  const { invitations, items, pages } = await waiting(team.admin)
  expect([items, pages]).toEqual([2, 1])
  const one = invitations.find(({ email }) => email === address)!
  expect(one).toEqual({
    invitationID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: address,
    role: 'user',
    invitedBy: team.admin.id,
    createdAt: expect.stringMatching(/Z$/),
    expireAt: expect.stringMatching(/Z$/),
  })
  expect(Date.parse(one.expireAt!) - Date.parse(one.createdAt!)).toBe(7 * 86_400_000)
  const path = `invitation/${invitations.find(({ email }) => email !== address)!.invitationID}`
  expect((await call(team.user, 'GET', 'invitations')).status).toBe(403)
  expect((await call(team.user, 'DELETE', path)).status).toBe(403)
  const other = await crew(people)
  expect((await call(other.owner, 'DELETE', path)).status).toBe(404)
  expect((await call(team.owner, 'DELETE', 'invitation/ada')).status).toBe(400)
  expect((await call(team.admin, 'DELETE', path)).status).toBe(204)
  expect((await call(team.admin, 'DELETE', path)).status).toBe(404)
  expect(await waiting()).toMatchObject({ items: 1 })
  expect((await take(user, invitationTo(await emailOf(user)))).status).toBe(404)
})

test('nothing is accepted by GET, nor by anybody without credentials', async () => {
  const user = await person(people.accounts)
  await invite(await emailOf(user))
  const invitation = invitationTo(await emailOf(user))
  for (const path of [`accept?invitation=${invitation}`, `accept/${invitation}`])
    expect([404, 405]).toContain((await call(user, 'GET', path)).status)
  await fetch(`${api.url}/account/team?invitation=${invitation}`, { headers: user.headers })
  expect((await take({ ...user, headers: {} } as unknown as Person, invitation)).status).toBe(401)
  expect(await people.team.membership(user.id)).toBeNull()
  expect((await take(user, invitation)).status).toBe(204)
})

test('a scanner that opens the link changes nothing, and tabs that accept at once make one membership', async () => {
  const [user, eve] = [await person(people.accounts), await person(people.accounts)]
  const address = await emailOf(user)
  await invite(address.toUpperCase())
  const invitation = invitationTo(address.toUpperCase())
  const opened = async (method: string, headers: Record<string, string>) =>
    fetch(`${api.url}/account/team?invitation=${invitation}`, { method, headers })
  for (let i = 0; i < 20; i++)
    await opened(i % 2 === 0 ? 'HEAD' : 'GET', { 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks)' })
  expect((await take(eve, invitation)).status).toBe(404)
  expect(await people.team.membership(user.id)).toBeNull()
  expect(await waiting()).toMatchObject({ items: 1 })
  const tabs = await Promise.all(Array.from({ length: 5 }, async () => (await take(user, invitation)).status))
  expect(tabs.filter((status) => status === 204)).toHaveLength(1)
  expect(new Set(tabs)).toEqual(new Set([204, 404]))
  const { members } = await people.team.members(team.customerId, { page: 1, limit: 100 })
  expect(members.filter(({ userId }) => userId === user.id)).toHaveLength(1)
  // The back button, and the link once more.
  expect((await take(user, invitation)).status).toBe(404)
})

test('who is alone in its own customer stays there and the invitation waits', async () => {
  const founder = await person(people.accounts)
  const name = { email: 'own@example.com', name: 'Own', billingAddress: ADDRESS }
  const headers = { ...founder.headers, 'content-type': 'application/json' }
  await fetch(`${api.url}${CUSTOMER}`, { method: 'POST', headers, body: JSON.stringify(name) })
  const own = await people.team.membership(founder.id)
  await invite(await emailOf(founder))
  const invitation = invitationTo(await emailOf(founder))
  expect((await take(founder, invitation)).status).toBe(400)
  expect(own).not.toBeNull()
  expect(await people.team.membership(founder.id)).toEqual(own)
  expect(await waiting()).toMatchObject({ items: 1 })
})

test('a customer invites a hundred users by id a day, and a user has the newest hundred of its invitations', async () => {
  const [user, stranger] = [await person(people.accounts), await person(people.accounts)]
  const statuses = new Map<number, number>()
  for (let i = 0; i < 101; i++) {
    // Declined, and invited again: each is a line on a screen, and counts.
    const { status } = await call(team.owner, 'POST', 'member', { userID: user.id, role: 'user' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await call(user, 'DELETE', 'leave', { customerID: team.customerId })
  }
  expect(statuses).toEqual(
    new Map([
      [201, 100],
      [429, 1],
    ]),
  )
  expect((await invite(nobody())).status).toBe(201)
  const customers: string[] = []
  for (let i = 0; i < 101; i++) {
    const { id: caller } = await person(people.accounts)
    const customer = newCustomer(caller)
    await people.team.createCustomer(customer)
    const change = { kind: 'add', role: 'user' } as const
    await people.team.change({ caller, target: stranger.id, change, membershipId: randomUUIDv7() })
    customers.push(customer.id)
    if (i === 0) expect(await people.team.waiting(stranger.id)).toHaveLength(1)
  }
  const kept = (await people.team.waiting(stranger.id)).map(({ customerId }) => customerId)
  expect(kept.sort()).toEqual(customers.slice(1).sort())
})

test('a refusal says the same of what was used, of what is of another address, and of what never was', async () => {
  const [user, eve] = [await person(people.accounts), await person(people.accounts)]
  await invite(await emailOf(user))
  const invitation = invitationTo(await emailOf(user))
  const refused = async (who: Person, token: string | undefined) => {
    const { id: _, ...error } = await errorOf(await take(who, token))
    return error
  }
  const never = await refused(eve, 'never-was')
  expect(never).toMatchObject({ code: 'not_found', param: 'invitation' })
  expect(await refused(eve, invitation)).toEqual(never)
  await take(user, invitation)
  expect(await refused(eve, invitation)).toEqual(never)
})

test('a membership is accepted by the name of its customer, one way at a time', async () => {
  const user = await person(people.accounts)
  await call(team.owner, 'POST', 'member', { userID: user.id, role: 'user' })
  const accept = async (body: unknown) => (await call(user, 'POST', 'accept', body)).status
  expect(await accept({ customerID: randomUUID() })).toBe(404)
  expect(await accept({ customerID: team.customerId, invitation: 'a' })).toBe(400)
  expect(await people.team.membership(user.id)).toBeNull()
  expect(await accept({ customerID: team.customerId.toUpperCase() })).toBe(204)
  expect(await people.team.membership(user.id)).toEqual({ customerId: team.customerId, role: 'user' })
})

test('a team cannot be called what would be a second line of its mails', async () => {
  const founder = await person(people.accounts)
  for (const name of ['Acme\r\nBcc: eve@example.com', 'Acme\nsecond'])
    expect(
      (await call(founder, 'POST', '', { email: 'a@example.com', name, billingAddress: ADDRESS })).status,
    ).toBeGreaterThanOrEqual(400)
  for (const email of [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    '"a b"@example.com',
  ])
    expect((await invite(email)).status).toBe(400)
})

type Members = { members: Record<string, string | boolean | null>[]; items: number; pages: number }

test('members see each other by name and address, and one that has not accepted by its id alone', async () => {
  const user = await person(people.accounts, { fullName: 'Grace Hopper', alias: 'grace' })
  await call(team.owner, 'POST', 'member', { userID: user.id, role: 'user' })
  const seen = async (by: Person, path: string) => {
    const response = await call(by, 'GET', path)
    const { members } = (await response.json()) as Members
    return members?.find(({ userID }) => userID === user.id)
  }
  const hidden = { userID: user.id, accepted: false, joinedAt: null, fullName: null, alias: null, email: null }
  expect(await seen(team.owner, 'members?limit=100')).toMatchObject(hidden)
  expect(await seen(team.user, 'directory?limit=100')).toMatchObject(hidden)
  expect(await seen(user, 'directory?limit=100')).toBeUndefined()
  await call(user, 'POST', 'accept')
  const shown = { fullName: 'Grace Hopper', alias: 'grace', email: await emailOf(user), role: 'user', accepted: true }
  expect(await seen(team.owner, 'members?limit=100')).toMatchObject(shown)
  expect(await seen(team.user, 'directory?limit=100')).toMatchObject(shown)
  // The specification keeps this list for owners and admins.
  expect((await call(team.user, 'GET', 'members')).status).toBe(403)
  expect((await call(await person(people.accounts), 'GET', 'directory')).status).toBe(404)
  expect((await (await call(team.user, 'GET', 'directory?limit=2')).json()) as Members).toMatchObject({
    items: 6,
    pages: 3,
  })
})
