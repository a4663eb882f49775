import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_ENTRIES, MAX_QUERY_BYTES, MAX_READ } from '../../../schemas/casework.ts'
import { type AssetArea, assetArea, QUOTA } from '../../builders/asset-area.ts'
import { type Crew, crew } from '../../builders/team.ts'

const BASE = '/api/casework/v1'
const ENTITY = `ip-${'0'.repeat(64)}`

let area: AssetArea
let team: Crew
beforeAll(async () => {
  area = await assetArea()
})
afterAll(() => area?.close())

type Headers = Record<string, string>
const call = (headers: Headers, method: string, path: string, body?: unknown) =>
  area.call(headers, method, BASE + path, body)

type Kind = { path: string; key: string; body: object; filled: object; change: object; missing: string }
const KINDS: Kind[] = [
  {
    path: 'cases',
    key: 'max_cases',
    body: { title: 'Phishing of March', summary: 'two lines\n\tof text' },
    filled: { severity: 0, status: 'open' },
    change: { status: 'in_progress', severity: 4 },
    missing: 'title',
  },
  {
    path: 'watchlists',
    key: 'max_watchlists',
    body: { name: 'Suppliers' },
    filled: { description: '', enabled: true },
    change: { enabled: false },
    missing: 'name',
  },
  {
    path: 'conversations',
    key: 'max_conversations',
    body: { title: 'What is this address?' },
    filled: { case_id: null },
    change: { title: 'What was it?' },
    missing: 'title',
  },
  {
    path: 'searches',
    key: 'max_saved_searches',
    body: { name: 'Bad ones', query: { query: { must: [{ term: { type: 'ip' } }] }, text: '\\u0000 "€" 😀' } },
    filled: {},
    change: { query: { other: [1, null] } },
    missing: 'name',
  },
]

for (const { path, key, body, filled, change, missing } of KINDS) {
  test(`${path} are made, read, listed, changed in part and deleted by their owner`, async () => {
    team = await crew(area.people)
    const { user } = team
    const made = await call(user.headers, 'POST', `/${path}`, body)
    expect(made.status).toBe(201)
    const at = new Date(area.clock.now).toISOString()
    const whose = { customer_id: team.customerId, user_id: user.id }
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(made.body).toEqual({ ...body, ...filled, id, ...whose, created_at: at, updated_at: at })
    const one = `/${path}/${made.body.id}`
    expect((await call(user.headers, 'GET', one)).body).toEqual(made.body)
    expect((await call(user.headers, 'GET', `/${path}`)).body).toEqual({ items: 1, pages: 1, results: [made.body] })
    area.clock.now += 1_000
    const changed = await call(user.headers, 'PUT', one, change)
    const updated_at = new Date(area.clock.now).toISOString()
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, ...change, updated_at }])
    expect((await call(user.headers, 'GET', one)).body).toEqual(changed.body)
    expect((await call(user.headers, 'DELETE', one)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await call(user.headers, method, one)).status).toBe(404)
    expect(await area.used(team.customerId, key)).toBe(0)
  })

  test(`${path} of a colleague and of another account are a 404, never a 403`, async () => {
    const [mine, others] = [await crew(area.people), await crew(area.people)]
    const one = `/${path}/${(await call(mine.user.headers, 'POST', `/${path}`, body)).body.id}`
    for (const { headers } of [mine.owner, mine.user2, others.user]) {
      expect((await call(headers, 'GET', one)).status).toBe(404)
      expect((await call(headers, 'PUT', one, change)).status).toBe(404)
      expect((await call(headers, 'DELETE', one)).status).toBe(404)
      expect((await call(headers, 'GET', `/${path}`)).body).toMatchObject({ items: 0 })
    }
    expect((await call(mine.user.headers, 'GET', one)).status).toBe(200)
  })

  test(`${path} are counted for the customer: what is full is a 409 until something is deleted`, async () => {
    const { user, user2, customerId } = await crew(area.people)
    const first = await call(user.headers, 'POST', `/${path}`, body)
    expect((await call(user2.headers, 'POST', `/${path}`, body)).status).toBe(201)
    const full = await call(user.headers, 'POST', `/${path}`, body)
    expect([full.status, full.body.error.code]).toEqual([409, 'quota_exceeded'])
    expect(await area.used(customerId, key)).toBe(QUOTA)
    await call(user.headers, 'DELETE', `/${path}/${first.body.id}`)
    expect((await call(user.headers, 'POST', `/${path}`, body)).status).toBe(201)
  })

  test(`${path} refuse what is missing, unknown or nothing, and name it`, async () => {
    const { user } = await crew(area.people)
    const { [missing as keyof object]: _, ...without } = body
    const refused = async (method: string, at: string, given: object) => {
      const { status, body: answer } = await call(user.headers, method, at, given)
      return [status, answer.error.param]
    }
    expect(await refused('POST', `/${path}`, without)).toEqual([400, missing])
    expect(await refused('POST', `/${path}`, { ...body, id: randomUUID() })).toEqual([400, 'id'])
    const one = `/${path}/${(await call(user.headers, 'POST', `/${path}`, body)).body.id}`
    expect(await refused('PUT', one, { user_id: user.id })).toEqual([400, 'user_id'])
    expect((await refused('PUT', one, {}))[0]).toBe(400)
    expect(await refused('PUT', `/${path}/7`, change)).toEqual([400, 'id'])
  })
}

const bad: [string, string, object, string][] = [
  ['a severity of 5', '/cases', { title: 'a', severity: 5 }, 'severity'],
  ['a state that cases do not have', '/cases', { title: 'a', status: 'new' }, 'status'],
  ['a title of two lines', '/cases', { title: 'a\nb' }, 'title'],
  ['a summary with a NUL', '/cases', { title: 'a', summary: '\u0000' }, 'summary'],
  ['a query that is no object', '/searches', { name: 'a', query: 'type:ip' }, 'query'],
  ['a query with a NUL', '/searches', { name: 'a', query: { a: ['\u0000'] } }, 'query'],
  ['a query that is too long', '/searches', { name: 'a', query: { a: 'x'.repeat(MAX_QUERY_BYTES) } }, 'query'],
  ['a case that is not there', '/conversations', { title: 'a', case_id: randomUUID() }, 'case_id'],
]
for (const [name, path, body, param] of bad)
  test(`${name} is a 400 that names it`, async () => {
    const { user } = await crew(area.people)
    const refused = await call(user.headers, 'POST', path, body)
    expect([refused.status, refused.body.error.param]).toEqual([400, param])
  })

test('a conversation is about a case of its own analyst, of nobody else’s, and about none when told so', async () => {
  const { user, owner } = await crew(area.people)
  const about = async (headers: Headers) => (await call(headers, 'POST', '/cases', { title: 'a' })).body.id as string
  const [own, foreign] = [await about(user.headers), await about(owner.headers)]
  const made = await call(user.headers, 'POST', '/conversations', { title: 'a', case_id: own })
  expect([made.status, made.body.case_id]).toEqual([201, own])
  const one = `/conversations/${made.body.id}`
  const refused = await call(user.headers, 'PUT', one, { case_id: foreign })
  expect([refused.status, refused.body.error.param]).toEqual([400, 'case_id'])
  expect((await call(user.headers, 'PUT', one, { case_id: null })).body.case_id).toBeNull()
  await call(user.headers, 'PUT', one, { case_id: own })
  await call(user.headers, 'DELETE', `/cases/${own}`)
  expect((await call(user.headers, 'GET', one)).body.case_id).toBeNull()
})

test('a watchlist holds entities, values and tags, each of which is read and removed', async () => {
  const { user, user2 } = await crew(area.people)
  const list = `/watchlists/${(await call(user.headers, 'POST', '/watchlists', { name: 'a' })).body.id}/items`
  const items = [
    { kind: 'entity', value: ENTITY, max_reputation: -1 },
    { kind: 'value', type: 'ip', value: '203.0.113.7' },
    { kind: 'tag', value: 'phishing' },
  ]
  const ids: string[] = []
  for (const item of items) {
    const added = await call(user.headers, 'POST', list, item)
    expect([added.status, added.body]).toEqual([
      201,
      { id: expect.any(String), ...item, created_at: new Date(area.clock.now).toISOString() },
    ])
    ids.push(added.body.id)
    area.clock.now++
  }
  const listed = await call(user.headers, 'GET', `${list}?limit=2`)
  expect([listed.body.items, listed.body.pages]).toEqual([3, 2])
  expect(listed.body.results.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
  for (const [method, body] of [['GET'], ['POST', items[0]]] as const)
    expect((await call(user2.headers, method, list, body)).status).toBe(404)
  expect((await call(user2.headers, 'DELETE', `${list}/${ids[0]}`)).status).toBe(404)
  expect((await call(user.headers, 'GET', `${list}/${ids[0]}`)).body).toMatchObject(items[0]!)
  expect((await call(user.headers, 'DELETE', `${list}/${ids[0]}`)).status).toBe(204)
  expect((await call(user.headers, 'GET', `${list}/${ids[0]}`)).status).toBe(404)
  for (const [item, param] of [
    [{ kind: 'entity', value: '203.0.113.7' }, 'value'],
    [{ kind: 'value', value: 'x', type: 'no-such-type' }, 'type'],
    [{ kind: 'person', value: 'x' }, 'kind'],
    [{ kind: 'tag', value: 'x', max_reputation: 4 }, 'max_reputation'],
    [{ kind: 'tag', value: ' ' }, 'value'],
  ] as const) {
    const refused = await call(user.headers, 'POST', list, item)
    expect([refused.status, refused.body.error.param]).toEqual([400, param])
  }
})

test('messages of a conversation are listed in their order, by the user unless said otherwise', async () => {
  const { user } = await crew(area.people)
  const { id } = (await call(user.headers, 'POST', '/conversations', { title: 'a' })).body
  const messages = `/conversations/${id}/messages`
  await call(user.headers, 'POST', messages, { content: 'who\nis it?' })
  area.clock.now++
  await call(user.headers, 'POST', messages, { role: 'assistant', content: 'nobody' })
  const { body } = await call(user.headers, 'GET', messages)
  const said = body.results.map(({ role, content }: Record<string, string>) => [role, content])
  expect(said).toEqual([
    ['user', 'who\nis it?'],
    ['assistant', 'nobody'],
  ])
  const record = { id: randomUUID(), record_id: id, content: '{}', created_at: new Date() }
  const rest = Array.from({ length: MAX_ENTRIES - 2 }, () => ({ ...record, id: randomUUID() }))
  await area.people.db.insertInto('casework_entries').values(rest).execute()
  const full = await call(user.headers, 'POST', messages, { content: 'one more' })
  expect([full.status, full.body.error.code]).toEqual([409, 'conflict'])
  const refused = await call(user.headers, 'POST', messages, { role: 'system', content: 'x' })
  expect([refused.status, refused.body.error.param]).toEqual([400, 'role'])
})

test('each analyst keeps what it has read of the alerts: a moment and single ids', async () => {
  const { user, user2 } = await crew(area.people)
  const state = '/alerts/read-state'
  expect((await call(user.headers, 'GET', state)).body).toEqual({ read_until: null, read: [] })
  const [a, b] = [randomUUID(), randomUUID()].sort() as [string, string]
  const given = { read_until: '2027-01-15T10:00:00+02:00', read: [b.toUpperCase(), a, b] }
  const stored = { read_until: '2027-01-15T08:00:00.000Z', read: [a, b] }
  const put = await call(user.headers, 'PUT', state, given)
  expect([put.status, put.body]).toEqual([200, stored])
  expect((await call(user.headers, 'GET', state)).body).toEqual(stored)
  expect((await call(user2.headers, 'GET', state)).body).toEqual({ read_until: null, read: [] })
  const many = Array.from({ length: MAX_READ }, () => randomUUID())
  expect((await call(user.headers, 'PUT', state, { read: many })).body.read).toHaveLength(MAX_READ)
  for (const [body, param] of [
    [{}, 'read'],
    [{ read: [...many, a] }, 'read'],
    [{ read: ['7'] }, 'read[0]'],
    [{ read: [], read_until: 'yesterday' }, 'read_until'],
  ] as const) {
    const refused = await call(user.headers, 'PUT', state, body)
    expect([refused.status, refused.body.error.param]).toEqual([400, param])
  }
})
