import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type AlertRow, addAlerts } from '../../../../builders/accounts/alerts.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { assetArea } from '../../../../builders/api/asset-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const BASE = '/api/casework/v1/alerts'
const START = Date.UTC(2027, 0, 15, 8)
const iso = (ms: number) => new Date(ms).toISOString()

const area = during(assetArea)

const call = (headers: Record<string, string>, method: string, path = '', body?: unknown) =>
  area.call(headers, method, BASE + path, body)

/** Alerts of the user of a new team, the first the oldest. */
async function alertsOf(rows: Partial<AlertRow>[]) {
  const team = await crew(area.people)
  const whose = { customer_id: team.customerId, user_id: team.user.id }
  const ids = await addAlerts(
    area.people.db,
    rows.map((row, n) => ({ ...whose, created_at: new Date(START + n * 1_000), ...row })),
  )
  return { ...team, me: team.user.headers, ids }
}

const idsIn = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('an alert says what fired for which entity, and its marks only where there are some', async () => {
  const row: Partial<AlertRow> = {
    matched_kind: 'cidr',
    matched_on: '203.0.113.0/24',
    entity_value: '203.0.113.7',
    count: 3,
  }
  const { me, ids } = await alertsOf([row, { withdrawn_at: new Date(START + 9_000) }])
  const { status, body } = await call(me, 'GET')
  expect([status, body.unread, idsIn({ body })]).toEqual([200, 2, [ids[1], ids[0]]])
  expect(body.items[1]).toEqual({
    id: ids[0],
    '@timestamp': iso(START),
    watchlistID: expect.any(String),
    itemID: expect.any(String),
    entityID: expect.stringMatching(/^ip-/),
    entityType: 'ip',
    entityValue: '203.0.113.7',
    reputation: -2,
    matchedKind: 'cidr',
    matchedOn: '203.0.113.0/24',
    count: 3,
    lastAt: iso(START),
    unread: true,
  })
  expect(body.items[0].withdrawnAt).toBe(iso(START + 9_000))
})

test('older alerts are a page after the last one that was shown', async () => {
  // Two of one moment stand in the order of their ids.
  const same = { created_at: new Date(START) }
  const { me, ids } = await alertsOf([same, same, {}, {}, {}])
  const all = idsIn(await call(me, 'GET'))
  expect(new Set(all)).toEqual(new Set(ids))
  const paged: string[] = []
  for (let before = ''; ; before = `&before=${paged.at(-1)}`) {
    const page = idsIn(await call(me, 'GET', `?limit=2${before}`))
    paged.push(...page)
    if (page.length < 2) break
  }
  expect(paged).toEqual(all)
  const refused = await call(me, 'GET', `?before=${randomUUID()}`)
  expect([refused.status, refused.body.error.param]).toEqual([400, 'before'])
})

test('unread is what entered after the watermark, and the watermark moves forward alone', async () => {
  const { me, ids } = await alertsOf([{}, {}, { last_at: new Date(START + 60_000) }])
  const unread = async () => {
    const { body } = await call(me, 'GET', '?unread=true')
    return [body.unread, body.items.map(({ id }: { id: string }) => ids.indexOf(id))]
  }
  expect(await unread()).toEqual([3, [2, 1, 0]])
  const until = await call(me, 'POST', '/read', { read_until: iso(START) })
  expect([until.status, until.body]).toEqual([200, { read_until: iso(START), read: [] }])
  expect(await unread()).toEqual([2, [2, 1]])
  await call(me, 'POST', '/read', { read_until: iso(START - 60_000) })
  expect(await unread()).toEqual([2, [2, 1]])
  const read = await call(me, 'POST', '/read')
  expect([read.status, read.body.read_until]).toEqual([200, iso(START + 60_000)])
  expect(await unread()).toEqual([0, []])
  expect((await call(me, 'GET', '/read-state')).body.read_until).toBe(iso(START + 60_000))
  expect((await call(me, 'GET')).body.items).toHaveLength(3)
})

test('an alert that was read by itself is unread again once it repeats', async () => {
  area.clock.now = START + 30_000
  const { me, ids } = await alertsOf([{}, {}])
  await call(me, 'PUT', '/read-state', { read: [ids[0]] })
  expect(idsIn(await call(me, 'GET', '?unread=true'))).toEqual([ids[1]])
  await area.people.db
    .updateTable('casework_alerts')
    .set({ last_at: new Date(START + 31_000) })
    .where('id', '=', ids[0]!)
    .execute()
  expect(idsIn(await call(me, 'GET', '?unread=true'))).toEqual([ids[1], ids[0]])
})

test('each alert says whether it is unread, as the filter counts it', async () => {
  area.clock.now = START + 30_000
  const { me, ids } = await alertsOf([{}, {}, {}, { last_at: new Date(START + 60_000) }])
  await call(me, 'PUT', '/read-state', { read_until: iso(START), read: [ids[1]] })
  const { body } = await call(me, 'GET')
  const flags = Object.fromEntries(body.items.map(({ id, unread }: { id: string; unread: boolean }) => [id, unread]))
  expect(ids.map((id) => flags[id])).toEqual([false, false, true, true])
  const changed = await Promise.all(ids.map((id) => call(me, 'PATCH', `/${id}`, { note: 'seen' })))
  expect(changed.map((one) => one.body.unread)).toEqual([false, false, true, true])
})

test('alerts are listed by state, with the unread count of all', async () => {
  const { me, ids } = await alertsOf([{}, { state: 'handled' }, { state: 'assigned' }, { state: 'handled' }, {}])
  const by = async (query: string) => {
    const answer = await call(me, 'GET', query)
    expect(answer.body.unread).toBe(5)
    return idsIn(answer).map((id) => ids.indexOf(id))
  }
  expect(await by('?state=handled')).toEqual([3, 1])
  expect(await by('?state=new')).toEqual([4, 0])
  expect(await by('?state=assigned&unread=true')).toEqual([2])
  // A page goes on after any alert, also after one that is in another state by now.
  expect(await by(`?state=handled&limit=1&before=${ids[2]}`)).toEqual([1])
  await call(me, 'POST', '/read')
  expect(idsIn(await call(me, 'GET', '?state=handled&unread=true'))).toEqual([])
})

test('what its user may read no more is neither listed, counted nor changed', async () => {
  const { me, ids, user } = await alertsOf([{ readable_by: ['red'] }, { readable_by: ['blue', 'red'] }, {}])
  expect([idsIn(await call(me, 'GET')), (await call(me, 'GET')).body.unread]).toEqual([[ids[2]], 1])
  expect((await call(me, 'PATCH', `/${ids[0]}`, { state: 'handled' })).status).toBe(404)
  expect((await call(me, 'GET', `?before=${ids[0]}`)).status).toBe(400)
  await area.people.accounts.updateUser(user.id, { groups: ['blue'] }, cause())
  expect(idsIn(await call(me, 'GET'))).toEqual([ids[2], ids[1]])
})

test('an alert is handled, assigned and noted by its user alone', async () => {
  const { me, ids, user2, owner } = await alertsOf([{}])
  const one = `/${ids[0]}`
  const assigned = await call(me, 'PATCH', one, { state: 'assigned', assignee: 'ana', note: 'ask\nher' })
  expect([assigned.status, assigned.body]).toMatchObject([
    200,
    { state: 'assigned', assignee: 'ana', note: 'ask\nher' },
  ])
  const handled = await call(me, 'PATCH', one, { state: 'handled', assignee: null })
  expect(handled.body).toMatchObject({ state: 'handled', note: 'ask\nher' })
  expect(handled.body).not.toHaveProperty('assignee')
  expect((await call(me, 'GET')).body.items).toEqual([handled.body])
  const others: Crew = await crew(area.people)
  for (const { headers } of [user2, owner, others.user]) {
    expect((await call(headers, 'PATCH', one, { state: 'new' })).status).toBe(404)
    expect((await call(headers, 'GET')).body).toEqual({ items: [], unread: 0 })
  }
  expect((await call(me, 'PATCH', `/${randomUUID()}`, { state: 'new' })).status).toBe(404)
})

const bad: [string, string, object | undefined, string][] = [
  ['GET', '?limit=0', undefined, 'limit'],
  ['GET', '?limit=501', undefined, 'limit'],
  ['GET', '?unread=maybe', undefined, 'unread'],
  ['GET', '?state=closed', undefined, 'state'],
  ['GET', '?before=7', undefined, 'before'],
  ['POST', '/read', { read_until: 'yesterday' }, 'read_until'],
  ['POST', '/read', { until: '2027-01-15T08:00:00Z' }, 'until'],
  ['PATCH', `/${randomUUID()}`, {}, 'body'],
  ['PATCH', `/${randomUUID()}`, { state: 'closed' }, 'state'],
  ['PATCH', `/${randomUUID()}`, { assignee: '' }, 'assignee'],
  ['PATCH', `/${randomUUID()}`, { note: '\u0000' }, 'note'],
  ['PATCH', '/7', { state: 'new' }, 'id'],
]
test('what cannot be asked is a 400 that names it', async () => {
  const { me } = await alertsOf([])
  for (const [method, path, body, param] of bad) {
    const refused = await call(me, method, path, body)
    expect([path, refused.status, refused.body.error?.param]).toEqual([path, 400, param])
  }
})
