import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { kyselyQuotas } from '../../../../../connectors/postgres/accounts/plan/quota-store.ts'
import { sessionStore } from '../../../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyCasework } from '../../../../../connectors/postgres/casework/casework-store.ts'
import { kyselyDestinations } from '../../../../../connectors/postgres/casework/deliveries/destinations.ts'
import type { SendMessage, Sent } from '../../../../../connectors/receivers/port.ts'
import { BUILT_IN_TIERS } from '../../../../../schemas/accounts/tiers/tiers.ts'
import { mailbox } from '../../../../builders/accounts/mailbox.ts'
import { type Crew, crew, embeddedPeople, type People } from '../../../../builders/accounts/team.ts'
import { type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { fire } from '../../../../builders/scans/deliveries.ts'

const BASE = '/api/alerts/v1/destinations'
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const HOOK = { name: 'ours', kind: 'webhook', url: 'https://hooks.example.com/a' }

let people: People
let team: Crew
let api: RunningApi
const mail = mailbox()
const clock = { now: 1_800_000_000_000 }
const sent: Parameters<SendMessage>[] = []
let outcome: Sent = { ok: true }

beforeAll(async () => {
  people = await embeddedPeople()
  team = await crew(people)
  api = await startApi({
    accounts: people.accounts,
    team: people.team,
    casework: kyselyCasework(people.db, BUILT_IN_TIERS),
    destinations: kyselyDestinations(people.db, BUILT_IN_TIERS),
    quotas: kyselyQuotas(people.db, BUILT_IN_TIERS),
    sessions: sessionStore(people.db, () => undefined),
    mailer: mail,
    sendMessage: async (...given) => {
      sent.push(given)
      return outcome
    },
    now: () => clock.now,
  })
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})
beforeEach(async () => {
  clock.now += 86_400_000
  outcome = { ok: true }
  mail.down = false
  sent.length = 0
  await people.db.deleteFrom('delivery_queues').execute()
})

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Called = { status: number; body: any }

async function call(method: string, path = '', body?: unknown, who: keyof Crew = 'user'): Promise<Called> {
  const headers = (team[who] as Crew['user']).headers
  const response = await fetch(api.url + (path.startsWith('/api') ? path : BASE + path), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const made = async (given: object = HOOK) => {
  const { status, body } = await call('POST', '', given)
  expect([status, body.error]).toEqual([201, undefined])
  return body
}

const watchlist = async (who: keyof Crew = 'user'): Promise<string> => {
  const { body } = await call('POST', '/api/casework/v1/watchlists', { name: 'x' }, who)
  return body.id
}

test('a destination shows its secret once, and is what was posted', async () => {
  const id = await watchlist()
  const { secret, ...shown } = await made({ ...HOOK, watchlists: [id], digest: 'hourly', publicOnly: true })
  expect(secret).toMatch(SECRET)
  const at = new Date(clock.now).toISOString()
  expect(shown).toEqual({
    id: expect.any(String),
    ...HOOK,
    watchlists: [id],
    digest: 'hourly',
    publicOnly: true,
    createdAt: at,
    updatedAt: at,
  })
  expect((await call('GET', `/${shown.id}`)).body).toEqual(shown)
  expect((await call('GET')).body).toEqual({ items: [shown] })
  const plain = await made({ ...HOOK, kind: 'slack' })
  expect(plain).toMatchObject({ kind: 'slack', digest: 'none', publicOnly: false })
  expect(plain).not.toHaveProperty('watchlists')
})

test('what is not given stays, and all watchlists are null', async () => {
  const id = await watchlist()
  const { secret: _, ...shown } = await made({ ...HOOK, watchlists: [id.toUpperCase()] })
  expect(shown.watchlists).toEqual([id])
  clock.now += 1_000
  const changed = await call('PATCH', `/${shown.id}`, { watchlists: null, url: 'https://hooks.example.com/b#c' })
  const { watchlists: __, ...rest } = shown
  const want = { ...rest, url: 'https://hooks.example.com/b', updatedAt: new Date(clock.now).toISOString() }
  expect(changed).toEqual({ status: 200, body: want })
})

const REFUSED: { name: string; body: object; param: string }[] = [
  { name: 'no place', body: { name: 'x', kind: 'webhook' }, param: 'url' },
  { name: 'no address', body: { name: 'x', kind: 'email' }, param: 'email' },
  { name: 'an address for a webhook', body: { ...HOOK, email: 'a@example.com' }, param: 'email' },
  { name: 'a URL for mail', body: { ...HOOK, kind: 'email', email: 'a@example.com' }, param: 'url' },
  { name: 'another kind', body: { ...HOOK, kind: 'pager' }, param: 'kind' },
  { name: 'another rhythm', body: { ...HOOK, digest: 'weekly' }, param: 'digest' },
  { name: 'no watchlist at all', body: { ...HOOK, watchlists: [] }, param: 'watchlists' },
  { name: 'a field that is not known', body: { ...HOOK, headers: [] }, param: 'headers' },
  {
    name: 'an address that could be a second reader',
    body: { name: 'x', kind: 'email', email: 'a@b.c,d@e.f' },
    param: 'email',
  },
  ...[
    'http://hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://hooks.internal/',
    'https://hooks.example.com:22/',
    'ftp://hooks.example.com/',
    'nonsense',
  ].map((url) => ({ name: url, body: { ...HOOK, url }, param: 'url' })),
]
for (const { name, body, param } of REFUSED)
  test(`refused and named: ${name}`, async () => {
    const answer = await call('POST', '', body)
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'invalid_parameter', param])
    expect((await call('GET')).body.items).toEqual([])
  })

test('a change is checked like a new one, and its kind stays', async () => {
  const { id } = await made()
  for (const body of [{}, { kind: 'slack' }, { email: 'a@example.com' }, { url: 'https://10.0.0.1/' }, { secret: 'x' }])
    expect((await call('PATCH', `/${id}`, body)).status).toBe(400)
})

test('watchlists of others are none', async () => {
  const theirs = await watchlist('user2')
  const { id } = await made()
  for (const answer of [
    await call('POST', '', { ...HOOK, watchlists: [theirs] }),
    await call('PATCH', `/${id}`, { watchlists: [theirs] }),
  ])
    expect([answer.status, answer.body.error.param]).toEqual([404, 'watchlists'])
})

test('a destination of another member, even of an owner’s team, is none', async () => {
  const { id } = await made()
  await fire(people.db, { customerId: team.customerId, userId: team.user.id })
  const [delivery] = (await call('GET', `/${id}/deliveries`)).body.items
  const asked: [string, string, object?][] = [
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, { name: 'theirs' }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/secret`],
    ['POST', `/${id}/confirm`, { code: '123456' }],
    ['GET', `/${id}/deliveries`],
    ['POST', `/deliveries/${delivery.id}/retry`],
    ['POST', `/api/alerts/v1/deliveries/${delivery.id}/retry`],
  ]
  for (const who of ['user2', 'owner'] as const)
    for (const [method, path, body] of asked)
      expect([method, path, (await call(method, path, body, who)).status]).toEqual([method, path, 404])
  expect((await call('GET', '', undefined, 'owner')).body.items).toEqual([])
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  expect((await call('GET', `/${id}`)).status).toBe(404)
})

test('a user has as many as its tier allows, whatever others of the customer have, and usage tells', async () => {
  for (let i = 0; i < 10; i++) await made()
  const refused = await call('POST', '', HOOK)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'quota_exceeded'])
  expect((await call('POST', '', HOOK, 'user2')).status).toBe(201)
  const usage = async (who: keyof Crew) => {
    const { body } = await call('GET', '/api/billing/v1/quotas/usage', undefined, who)
    return body.services['casework-api'].features.find(
      ({ featureKey }: { featureKey: string }) => featureKey === 'max_destinations',
    )
  }
  expect(await usage('user')).toMatchObject({ currentUsage: 10, limit: 10, remaining: 0 })
  expect(await usage('user2')).toMatchObject({ currentUsage: 1, remaining: 9 })
  expect(await usage('owner')).toMatchObject({ currentUsage: 0, remaining: 10 })
})

test('a new secret is another one, shown in this answer only', async () => {
  const { id, secret } = await made()
  const renewed = await call('POST', `/${id}/secret`)
  expect(renewed).toEqual({ status: 200, body: { secret: expect.stringMatching(SECRET) } })
  expect(renewed.body.secret).not.toBe(secret)
  expect(JSON.stringify((await call('GET', `/${id}`)).body)).not.toContain('whsec_')
})

test('a test is sent at once, and the answer says what came of it', async () => {
  const { id, secret } = await made()
  expect(await call('POST', `/${id}/test`)).toEqual({ status: 200, body: { delivered: true, error: null } })
  const [receiver, message] = sent[0]!
  expect(receiver).toEqual({ kind: 'webhook', url: HOOK.url, email: null, secret })
  expect(message).toMatchObject({ type: 'test', destinationID: id, name: 'ours', at: clock.now })
  const soon = await call('POST', `/${id}/test`)
  expect([soon.status, soon.body.error.code]).toEqual([429, 'rate_limited'])
  clock.now += 5_000
  outcome = { ok: false, reason: 'status', error: 'the receiver answered with status 500' }
  expect((await call('POST', `/${id}/test`, {})).body).toEqual({ delivered: false, error: outcome.error })
  expect(sent).toHaveLength(2)
})

test('a mail address is confirmed by the code that was mailed to it, and counts from then on', async () => {
  const mails = mail.mails.length
  const { id, ...shown } = await made({ name: 'mail', kind: 'email', email: 'Soc@example.com' })
  expect(shown).toMatchObject({ email: 'Soc@example.com' })
  expect(shown).not.toHaveProperty('confirmedAt')
  expect(mail.mails).toHaveLength(mails + 1)
  expect((await call('POST', `/${id}/test`)).status).toBe(409)
  const code = mail.codeFor('Soc@example.com')
  const wrong = await call('POST', `/${id}/confirm`, { code: code === '000000' ? '000001' : '000000' })
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'code'])
  const confirmed = await call('POST', `/${id}/confirm`, { code })
  expect([confirmed.status, confirmed.body.confirmedAt]).toEqual([200, new Date(clock.now).toISOString()])
  expect((await call('POST', `/${id}/confirm`, { code })).status).toBe(400)
  expect((await call('POST', `/${id}/test`)).body.delivered).toBe(true)

  // The same address again is no change of it.
  const same = await call('PATCH', `/${id}`, { email: 'soc@example.com' })
  expect(same.body.confirmedAt).toBe(confirmed.body.confirmedAt)
  expect(mail.mails).toHaveLength(mails + 1)

  const moved = await call('PATCH', `/${id}`, { email: 'other@example.com' })
  expect(moved.body).not.toHaveProperty('confirmedAt')
  expect((await call('POST', `/${id}/confirm`, { code })).status).toBe(400)
  const again = await call('POST', `/${id}/confirm`, { code: mail.codeFor('other@example.com') })
  expect(again.body).toMatchObject({ email: 'other@example.com', confirmedAt: new Date(clock.now).toISOString() })
})

test('a code is tried five times and lasts ten minutes, and an address that waits gets another one when it is named again', async () => {
  const { id } = await made({ name: 'mail', kind: 'email', email: 'tries@example.com' })
  const confirm = async (code: string) => (await call('POST', `/${id}/confirm`, { code })).status
  const wrong = (code: string) => (code === '999999' ? '999998' : '999999')
  const first = mail.codeFor('tries@example.com')
  for (let i = 0; i < 5; i++) expect(await confirm(wrong(first))).toBe(400)
  expect(await confirm(first)).toBe(400)
  await call('PATCH', `/${id}`, { email: 'tries@example.com' })
  const second = mail.codeFor('tries@example.com')
  clock.now += 10 * 60_000
  expect(await confirm(second)).toBe(400)
  await call('PATCH', `/${id}`, { email: 'tries@example.com' })
  expect(await confirm(mail.codeFor('tries@example.com'))).toBe(200)
})

test('a code of a destination opens no session, and is still good for its destination', async () => {
  const { id } = await made({ name: 'mail', kind: 'email', email: 'cross@example.com' })
  const { code_id: codeId } = await people.db
    .selectFrom('alert_destinations')
    .select('code_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const code = mail.codeFor('cross@example.com')
  const body = { verificationCodeID: codeId, code }
  const response = await fetch(`${api.url}/auth/v2/session/verification`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
  expect((await call('POST', `/${id}/confirm`, { code })).status).toBe(200)
})

test('an address that no code can be mailed to leaves no destination behind', async () => {
  mail.down = true
  const answer = await call('POST', '', { name: 'mail', kind: 'email', email: 'down@example.com' })
  expect(answer.status).toBe(500)
  expect((await call('GET')).body.items).toEqual([])
})

test('an address is mailed a bounded number of codes', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    const { status } = await call('POST', '', { name: 'mail', kind: 'email', email: 'victim@example.com' })
    statuses.push(status)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
})

test('deliveries are listed with what became of them, and asked for again by their ids', async () => {
  const { id } = await made()
  const owner = { customerId: team.customerId, userId: team.user.id }
  const ids = await fire(people.db, owner, { count: 3, now: clock.now })
  const at = new Date(clock.now).toISOString()
  const listed = await call('GET', `/${id}/deliveries?limit=2`)
  expect(listed.body.items).toEqual(
    [ids[2], ids[1]].map((alertID) => ({
      id: expect.any(String),
      alertID,
      state: 'pending',
      attempts: 0,
      nextAt: at,
      lastError: null,
      createdAt: at,
    })),
  )
  const rest = await call('GET', `/${id}/deliveries?limit=2&after=${listed.body.next}`)
  expect(rest.body.items.map(({ alertID }: { alertID: string }) => alertID)).toEqual([ids[0]])
  expect(rest.body).not.toHaveProperty('next')

  const [delivery] = rest.body.items
  const paths = [`/api/alerts/v1/deliveries/${delivery.id}/retry`, `${BASE}/deliveries/${delivery.id}/retry`]
  for (const path of paths) expect((await call('POST', path)).status).toBe(409)
  const failed = { state: 'dead', attempts: 8, last_error: 'down', finished_at: new Date(clock.now) } as const
  for (const path of paths) {
    await people.db.updateTable('deliveries').set(failed).where('id', '=', delivery.id).execute()
    expect((await call('GET', `/${id}/deliveries`)).body.items[2]).toMatchObject({
      state: 'dead',
      attempts: 8,
      nextAt: null,
      lastError: 'down',
    })
    expect((await call('POST', path, {})).status).toBe(202)
    expect((await call('GET', `/${id}/deliveries`)).body.items[2]).toMatchObject({ attempts: 0, nextAt: at })
  }
  expect((await call('POST', `/deliveries/${randomUUID()}/retry`)).status).toBe(404)
  expect((await call('GET', `/${id}/deliveries?limit=501`)).status).toBe(400)
})

test('whoever lost the role or the membership gets nowhere', async () => {
  const lonely = await crew(people)
  await people.db
    .updateTable('users')
    .set({ roles: ['reporter'] })
    .where('id', '=', lonely.user.id)
    .execute()
  await people.db.deleteFrom('memberships').where('user_id', '=', lonely.user2.id).execute()
  for (const { headers } of [lonely.user, lonely.user2])
    expect((await fetch(api.url + BASE, { headers })).status).toBe(403)
})
