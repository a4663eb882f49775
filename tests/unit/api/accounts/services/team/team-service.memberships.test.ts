import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Limits } from '../../../../../../connectors/postgres/accounts/plan/port.ts'
import { kyselyEmails } from '../../../../../../connectors/postgres/accounts/users/email-store.ts'
import { kyselySettings } from '../../../../../../connectors/postgres/operation/setting-store.ts'
import { type Mailbox, mailbox } from '../../../../../builders/accounts/mailbox.ts'
import { type Person, person } from '../../../../../builders/accounts/people.ts'
import { ADDRESS, crew, embeddedPeople, type People } from '../../../../../builders/accounts/team.ts'
import { asAdmin, type RunningApi, startApi } from '../../../../../builders/api/api.ts'
import { noLimits } from '../../../../../builders/api/ports.ts'

const CUSTOMER = '/api/billing/v1/customer'
const ACME = { email: 'billing@acme.example', name: 'Acme', billingAddress: ADDRESS }

let people: People
let api: RunningApi
let mail: Mailbox
beforeAll(async () => {
  people = await embeddedPeople()
  mail = mailbox()
  const { accounts, team, db } = people
  const [emails, settings] = [kyselyEmails(db), kyselySettings(db)]
  api = await startApi({ accounts, team, emails, settings, mailer: mail, limits: countedMails() })
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

/** As the limits count them; nothing else is limited. */
function countedMails(): Limits {
  const sent = new Map<string, number>()
  return {
    ...noLimits,
    async take(counter, limit, units) {
      if (counter.service !== 'mail') return noLimits.take(counter, limit, units)
      const used = (sent.get(counter.subject.id) ?? 0) + units
      if (used <= limit) sent.set(counter.subject.id, used)
      return { admitted: used <= limit, used: Math.min(used, limit) }
    },
  }
}

const call = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return fetch(api.url + path, { method, headers: { ...headers, ...type }, ...sent })
}
const identityOf = async ({ headers }: Person) =>
  (await people.accounts.keyPairCredential(headers['api-key']))!.identity
const emailOf = async ({ id }: Person) => (await people.accounts.user(id))!.email
const invitationTo = (address: string) =>
  /#invitation=([\w-]+)/.exec(mail.mails.findLast(({ to }) => to === address)?.text ?? '')?.[1]

test('who is named by its id is invited, and nothing follows from it until it accepts', async () => {
  const { owner, customerId } = await crew(people)
  const member = await person(people.accounts)
  const group = `customer-${customerId}`
  expect((await call(owner.headers, 'POST', `${CUSTOMER}/member`, { userID: member.id, role: 'user' })).status).toBe(
    201,
  )
  expect(mail.mails.at(-1)).toMatchObject({ to: await emailOf(member), text: expect.stringContaining('Acme') })
  const before = await identityOf(member)
  expect(before).toMatchObject({ customerId: null, chargedCustomerId: null })
  expect(before.groups).not.toContain(group)
  const me = async () => (await call(member.headers, 'GET', '/auth/v2/user')).json()
  const waiting = { customerID: customerId, name: 'Acme', role: 'user' }
  expect(await me()).toMatchObject({ customer: null, invitations: [waiting] })
  for (let i = 0; i < 2; i++) expect((await call(member.headers, 'POST', `${CUSTOMER}/accept`)).status).toBe(204)
  const after = await identityOf(member)
  expect(after).toMatchObject({ customerId, chargedCustomerId: customerId })
  expect(after.ownGroups).toContain(group)
  expect(await me()).toMatchObject({ customer: waiting, invitations: [] })
  const stranger = await person(people.accounts)
  expect((await call(stranger.headers, 'POST', `${CUSTOMER}/accept`)).status).toBe(404)
})

test('who is added and removed again and again is told five times a day', async () => {
  const { owner } = await crew(people)
  const member = await person(people.accounts)
  for (let i = 0; i < 7; i++) {
    await call(owner.headers, 'POST', `${CUSTOMER}/member`, { userID: member.id, role: 'user' })
    expect((await call(owner.headers, 'DELETE', `${CUSTOMER}/member/${member.id}`)).status).toBe(204)
  }
  const address = await emailOf(member)
  expect(mail.mails.filter(({ to }) => to === address)).toHaveLength(5)
})

test('who makes a customer has accepted it', async () => {
  const founder = await person(people.accounts)
  expect((await call(founder.headers, 'POST', CUSTOMER, ACME)).status).toBe(201)
  expect((await identityOf(founder)).customerId).not.toBeNull()
})

test('an invitation is answered alike with and without an account, and taken once by its reader alone', async () => {
  const { owner, customerId } = await crew(people)
  const [invited, eve] = [await person(people.accounts), await person(people.accounts)]
  const address = await emailOf(invited)
  const answers = []
  for (const email of [address, `${randomUUID()}@example.com`]) {
    const response = await call(owner.headers, 'POST', `${CUSTOMER}/member`, { email })
    answers.push([response.status, await response.json()])
  }
  expect(answers[0]).toEqual([201, { message: 'acknowledged' }])
  expect(answers[1]).toEqual(answers[0])
  const invitation = invitationTo(address)
  const take = ({ headers }: Person) => call(headers, 'POST', `${CUSTOMER}/accept`, { invitation })
  expect((await take(eve)).status).toBe(404)
  expect((await take(invited)).status).toBe(204)
  expect(await people.team.membership(invited.id)).toEqual({ customerId, role: 'user' })
  expect((await take(invited)).status).toBe(404)
})

test('an invitation is worth nothing once the one who sent it may not invite any more', async () => {
  for (const end of ['removed', 'demoted'] as const) {
    const { owner, admin } = await crew(people)
    const other = await person(people.accounts)
    const address = await emailOf(other)
    expect((await call(admin.headers, 'POST', `${CUSTOMER}/member`, { email: address })).status).toBe(201)
    const ended =
      end === 'removed'
        ? await call(owner.headers, 'DELETE', `${CUSTOMER}/member/${admin.id}`)
        : await call(owner.headers, 'PUT', `${CUSTOMER}/member`, { userID: admin.id, role: 'user' })
    expect(ended.status).toBe(204)
    const invitation = invitationTo(address)
    expect((await call(other.headers, 'POST', `${CUSTOMER}/accept`, { invitation })).status).toBe(404)
    expect(await people.team.membership(other.id)).toBeNull()
  }
})

test('a member of another customer is refused an invitation, leaves, and takes it', async () => {
  const [{ owner, customerId }, { user }] = [await crew(people), await crew(people)]
  const address = await emailOf(user)
  await call(owner.headers, 'POST', `${CUSTOMER}/member`, { email: address })
  const invitation = invitationTo(address)
  const take = async () => (await call(user.headers, 'POST', `${CUSTOMER}/accept`, { invitation })).status
  expect(await take()).toBe(400)
  expect((await call(user.headers, 'DELETE', `${CUSTOMER}/leave`)).status).toBe(204)
  expect(await Promise.all([take(), take()])).toContain(204)
  expect(await people.team.membership(user.id)).toMatchObject({ customerId })
  await call(user.headers, 'DELETE', `${CUSTOMER}/leave`)
  expect(await take()).toBe(404)
})

test('an admin invites users alone, a user nobody', async () => {
  const { admin, user } = await crew(people)
  const invite = ({ headers }: Person, role: string) =>
    call(headers, 'POST', `${CUSTOMER}/member`, { email: `${randomUUID()}@example.com`, role })
  expect((await invite(admin, 'admin')).status).toBe(403)
  expect((await invite(admin, 'user')).status).toBe(201)
  expect((await invite(user, 'user')).status).toBe(403)
})

test('a mailbox gets at most five invitations a day, and nobody is told', async () => {
  const { owner } = await crew(people)
  const email = `${randomUUID()}@example.com`
  for (let i = 0; i < 7; i++)
    expect((await call(owner.headers, 'POST', `${CUSTOMER}/member`, { email })).status).toBe(201)
  expect(mail.mails.filter(({ to }) => to === email)).toHaveLength(5)
})

test('ownership goes to a member by its address; a stranger and nobody are one 404', async () => {
  const { owner, user } = await crew(people)
  const stranger = await person(people.accounts)
  const transfer = (email: string) => call(owner.headers, 'POST', `${CUSTOMER}/transfer-ownership`, { email })
  expect((await transfer(await emailOf(stranger))).status).toBe(404)
  expect((await transfer('nobody@example.com')).status).toBe(404)
  expect((await transfer(await emailOf(user))).status).toBe(200)
  expect((await people.team.membership(user.id))!.role).toBe('owner')
})

test('an administrator lists and removes members, but not the last owner', async () => {
  const { owner, user, customerId } = await crew(people)
  const path = `/api/billing/v1/admin/customer/${customerId}`
  const { members, items } = (await (await call(asAdmin, 'GET', `${path}/members`)).json()) as {
    members: { userID: string; email: string }[]
    items: number
  }
  expect(items).toBe(5)
  expect(members.find(({ userID }) => userID === owner.id)!.email).toBe(await emailOf(owner))
  expect((await call(asAdmin, 'DELETE', `${path}/member/${user.id}`)).status).toBe(204)
  expect((await call(asAdmin, 'DELETE', `${path}/member/${user.id}`)).status).toBe(404)
  expect((await call(asAdmin, 'DELETE', `${path}/member/${owner.id}`)).status).toBe(400)
})

test('a new customer starts on the tier that was set', async () => {
  expect((await call(asAdmin, 'PUT', '/api/billing/v1/admin/tiers/pro/default')).status).toBe(204)
  const founder = await person(people.accounts)
  const made = await call(founder.headers, 'POST', CUSTOMER, ACME)
  expect(await made.json()).toMatchObject({ tierName: 'Pro' })
  expect((await call(asAdmin, 'PUT', '/api/billing/v1/admin/tiers/gold/default')).status).toBe(404)
  await call(asAdmin, 'PUT', '/api/billing/v1/admin/tiers/free/default')
})
