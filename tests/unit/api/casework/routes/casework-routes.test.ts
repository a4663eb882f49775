import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { UNFILED } from '../../../../../api/casework/routes/owned-records.ts'
import { MAX_QUERY_BYTES, MAX_READ, NO_CASE } from '../../../../../schemas/casework/casework.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { assetArea, QUOTA } from '../../../../builders/api/asset-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const BASE = '/api/casework/v1'

const area = during(assetArea)
let team: Crew

type Headers = Record<string, string>
const call = (headers: Headers, method: string, path: string, body?: unknown) =>
  area.call(headers, method, BASE + path, body)

type Kind = {
  path: string
  key: string
  body: object
  filled: object
  /** Told with one record, and not in lists. */
  children: object
  change: object
  missing: string
}
const KINDS: Kind[] = [
  {
    path: 'cases',
    key: 'max_cases',
    body: { title: 'Phishing of March', summary: 'two lines\n\tof text' },
    filled: { severity: 0, status: 'open' },
    children: { notes: [], entities: [] },
    change: { status: 'in_progress', severity: 4 },
    missing: 'title',
  },
  {
    path: 'watchlists',
    key: 'max_watchlists',
    body: { name: 'Suppliers' },
    filled: { description: '', enabled: true, item_count: 0, items: [] },
    children: {},
    change: { enabled: false },
    missing: 'name',
  },
  {
    path: 'conversations',
    key: 'max_conversations',
    body: { title: 'What is this address?' },
    filled: { case_id: null, message_count: 0, last_message_at: null },
    children: {},
    change: { title: 'What was it?' },
    missing: 'title',
  },
  {
    path: 'searches',
    key: 'max_saved_searches',
    body: { name: 'Bad ones', query: { query: { must: [{ term: { type: 'ip' } }] }, text: '\\u0000 "€" 😀' } },
    filled: {},
    children: {},
    change: { query: { other: [1, null] } },
    missing: 'name',
  },
]

for (const { path, key, body, filled, children, change, missing } of KINDS) {
  test(`${path} are made, read, listed, changed in part and deleted by their owner`, async () => {
    team = await crew(area.people)
    const { user } = team
    const made = await call(user.headers, 'POST', `/${path}`, body)
    expect(made.status).toBe(201)
    const at = new Date(area.clock.now).toISOString()
    const whose = { customer_id: team.customerId, user_id: user.id }
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const listed = { ...body, ...filled, id, ...whose, created_at: at, updated_at: at }
    expect(made.body).toEqual({ ...listed, ...children })
    const one = `/${path}/${made.body.id}`
    expect((await call(user.headers, 'GET', one)).body).toEqual(made.body)
    const list = await call(user.headers, 'GET', `/${path}`)
    expect([list.body, list.headers.get('x-total-count')]).toEqual([[listed], '1'])
    for (const method of ['PUT', 'PATCH']) {
      area.clock.now += 1_000
      const changed = await call(user.headers, method, one, change)
      const updated_at = new Date(area.clock.now).toISOString()
      expect([changed.status, changed.body]).toEqual([200, { ...made.body, ...change, updated_at }])
      expect((await call(user.headers, 'GET', one)).body).toEqual(changed.body)
    }
    expect((await call(user.headers, 'DELETE', one)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await call(user.headers, method, one)).status).toBe(404)
    expect(await area.used(team.customerId, key)).toBe(0)
  })

  test(`${path} of a colleague and of another account are a 404, never a 403`, async () => {
    const [mine, others] = [await crew(area.people), await crew(area.people)]
    const one = `/${path}/${(await call(mine.user.headers, 'POST', `/${path}`, body)).body.id}`
    for (const { headers } of [mine.owner, mine.user2, others.user]) {
      expect((await call(headers, 'GET', one)).status).toBe(404)
      for (const method of ['PUT', 'PATCH']) expect((await call(headers, method, one, change)).status).toBe(404)
      expect((await call(headers, 'DELETE', one)).status).toBe(404)
      expect((await call(headers, 'GET', `/${path}`)).body).toEqual([])
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
    const refused = async (method: string, at: string, given?: object) => {
      const { status, body: answer } = await call(user.headers, method, at, given)
      return [status, answer.error.param]
    }
    expect(await refused('POST', `/${path}`, without)).toEqual([400, missing])
    expect(await refused('POST', `/${path}`, { ...body, id: randomUUID() })).toEqual([400, 'id'])
    const one = `/${path}/${(await call(user.headers, 'POST', `/${path}`, body)).body.id}`
    for (const method of ['PUT', 'PATCH']) {
      expect(await refused(method, one, { user_id: user.id })).toEqual([400, 'user_id'])
      expect((await refused(method, one, {}))[0]).toBe(400)
      expect(await refused(method, `/${path}/7`, change)).toEqual([400, 'id'])
    }
    for (const bad of ['limit=201', 'limit=0', 'page=0', 'status=new', 'case_id=7'])
      expect((await refused('GET', `/${path}?${bad}`))[0]).toBe(400)
  })
}

const bad: [string, string, object, string][] = [
  ['a severity of 5', '/cases', { title: 'a', severity: 5 }, 'severity'],
  ['a state that cases do not have', '/cases', { title: 'a', status: 'new' }, 'status'],
  ['a title of two lines', '/cases', { title: 'a\nb' }, 'title'],
  ['a summary with a NUL', '/cases', { title: 'a', summary: '\u0000' }, 'summary'],
  ['a query that is neither', '/searches', { name: 'a', query: 7 }, 'query'],
  ['a query of nothing', '/searches', { name: 'a', query: '' }, 'query'],
  ['a text with a NUL', '/searches', { name: 'a', query: 'a\u0000' }, 'query'],
  ['a text that is too long', '/searches', { name: 'a', query: 'x'.repeat(MAX_QUERY_BYTES) }, 'query'],
  ['a query with a NUL', '/searches', { name: 'a', query: { a: ['\u0000'] } }, 'query'],
  ['a query that is too long', '/searches', { name: 'a', query: { a: 'x'.repeat(MAX_QUERY_BYTES) } }, 'query'],
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
  for (const [method, path, body] of [
    ['POST', '/conversations', { title: 'a' }],
    ['PATCH', one, {}],
  ] as const)
    for (const case_id of [foreign, randomUUID()]) {
      const refused = await call(user.headers, method, path, { ...body, case_id })
      expect([refused.status, refused.body.error.param]).toEqual([404, 'case_id'])
    }
  for (const none of [null, NO_CASE]) {
    expect((await call(user.headers, 'PATCH', one, { case_id: none })).body.case_id).toBeNull()
    const list = async (about: string) =>
      (await call(user.headers, 'GET', `/conversations?case_id=${about}`)).body.length
    expect([await list(UNFILED), await list(own), await list(foreign)]).toEqual([1, 0, 0])
    expect((await call(user.headers, 'PATCH', one, { case_id: own })).body.case_id).toBe(own)
    expect([await list(UNFILED), await list(own), await list(own.toUpperCase())]).toEqual([0, 1, 1])
  }
  expect((await call(user.headers, 'PUT', one, { case_id: null })).body.case_id).toBeNull()
  await call(user.headers, 'PUT', one, { case_id: own })
  await call(user.headers, 'DELETE', `/cases/${own}`)
  expect((await call(user.headers, 'GET', one)).body.case_id).toBeNull()
})

test('a saved search is a text or an object, and comes back as it was given', async () => {
  const { user } = await crew(area.people)
  for (const query of ['type:ip AND tags:"apt"\n', { text: 'mirai' }]) {
    const made = await call(user.headers, 'POST', '/searches', { name: 'a', query })
    expect([made.status, made.body.query]).toEqual([201, query])
    expect((await call(user.headers, 'GET', `/searches/${made.body.id}`)).body.query).toEqual(query)
  }
})

test('lists come in pages, and cases by their state', async () => {
  const { user } = await crew(area.people)
  const make = async (title: string, status: string) => {
    area.clock.now += 1_000
    return (await call(user.headers, 'POST', '/cases', { title, status })).body.id as string
  }
  const [open, closed] = [await make('a', 'open'), await make('b', 'closed')]
  const list = async (query: string) => {
    const { body, headers } = await call(user.headers, 'GET', `/cases${query}`)
    return [Number(headers.get('x-total-count')), ...body.map(({ id }: { id: string }) => id)]
  }
  expect(await list('')).toEqual([2, closed, open])
  expect(await list('?limit=1')).toEqual([2, closed])
  expect(await list('?limit=1&page=2')).toEqual([2, open])
  expect(await list('?limit=1&page=3')).toEqual([2])
  expect(await list('?status=open')).toEqual([1, open])
  expect(await list('?status=in_progress')).toEqual([0])
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
