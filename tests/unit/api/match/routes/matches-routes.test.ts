import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { ShownMatch } from '../../../../../connectors/history/match/port.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { matchArea } from '../../../../builders/api/match-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(matchArea)
let user: Person
beforeEach(async () => {
  user = await person(area.people.accounts, { roles: ['user'], groups: ['soc'] })
  Object.assign(area.kept, { matches: [], rows: [] })
  area.asked.matches.length = 0
  area.asked.seen.length = 0
})

const AT = 1_799_999_000_000
const iso = (ms: number) => new Date(ms).toISOString()
const ENTITY = {
  id: entityId('domain', 'example.com'),
  type: 'domain',
  value: 'example.com',
  reputation: -2,
  accuracy: 2,
  tags: ['c2'],
}
const match = (given: Partial<ShownMatch> = {}, event: Partial<ShownMatch['event']> = {}): ShownMatch => ({
  id: randomUUID(),
  direction: 'forward',
  summary: false,
  at: AT,
  matchedAt: AT + 1_000,
  event: {
    id: 'e1',
    at: AT,
    lastAt: null,
    count: 1,
    kind: null,
    host: null,
    user: null,
    field: 'query',
    value: 'www.example.com',
    refs: [],
    ...event,
  },
  entity: ENTITY,
  withdrawnAt: null,
  withdrawnReason: null,
  ...given,
})
const list = (query = '', as = user) => area.call(as.headers, 'GET', `/matches${query}`)

test('without matches the list is empty', async () => {
  expect(await list()).toMatchObject({ status: 200, body: { items: [], cursor: null, more: false } })
  expect(area.asked.matches).toEqual([
    {
      owner: `user:${user.id}`,
      groups: ['public', 'soc'],
      since: null,
      direction: null,
      entityId: null,
      after: null,
      limit: 101,
    },
  ])
})

test('a match shows what it has', async () => {
  const times = { lastAt: AT + 500, count: 3, id: null, kind: 'dns', host: 'h', user: 'u', refs: ['r'] }
  area.kept.matches = [
    match(),
    match({ direction: 'retro', withdrawnAt: AT + 9_000, withdrawnReason: 'retracted' }, times),
    match({ summary: true, at: AT + 900 }, { ...times, count: 20_000, lastAt: AT + 900, value: '' }),
  ]
  const [plain, several, summary] = area.kept.matches as [ShownMatch, ShownMatch, ShownMatch]
  const told = { at: iso(AT), matchedAt: iso(AT + 1_000), entity: ENTITY }
  expect((await list()).body.items).toEqual([
    {
      id: plain.id,
      direction: 'forward',
      ...told,
      event: { id: 'e1', at: iso(AT), kind: null, field: 'query', value: 'www.example.com', refs: [] },
    },
    {
      id: several.id,
      direction: 'retro',
      ...told,
      event: {
        at: iso(AT),
        lastAt: iso(AT + 500),
        count: 3,
        kind: 'dns',
        host: 'h',
        user: 'u',
        field: 'query',
        value: 'www.example.com',
        refs: ['r'],
      },
      withdrawnAt: iso(AT + 9_000),
      withdrawnReason: 'retracted',
    },
    {
      id: summary.id,
      summary: true,
      direction: 'forward',
      ...told,
      at: iso(AT + 900),
      field: 'query',
      count: 20_000,
      first: iso(AT),
      last: iso(AT + 900),
    },
  ])
})

test('pages follow each other by a cursor', async () => {
  area.kept.matches = Array.from({ length: 5 }, (_, i) => match({ matchedAt: AT - i }))
  const seen: string[] = []
  let page = await list('?limit=2&direction=forward')
  for (;;) {
    seen.push(...page.body.items.map(({ id }: { id: string }) => id))
    expect(page.body.more).toBe(page.body.cursor !== null)
    if (!page.body.more) break
    page = await list(`?limit=2&direction=forward&cursor=${page.body.cursor}`)
  }
  expect(seen).toEqual(area.kept.matches.map(({ id }) => id))
  expect(area.asked.matches.map(({ after }) => after?.matchedAt ?? null)).toEqual([null, AT - 1, AT - 3])
})

test('the parameters narrow the list', async () => {
  await list(`?since=2026-11-20T12:30:00%2B01:00&direction=retro&entity=${ENTITY.id}&limit=1000`)
  await list('?since=1795174200000')
  const since = Date.parse('2026-11-20T11:30:00Z')
  expect(area.asked.matches).toMatchObject([
    { since, direction: 'retro', entityId: ENTITY.id, limit: 1_001 },
    { since: 1_795_174_200_000, limit: 101 },
  ])
})

test('a cursor is of its owner and its list', async () => {
  area.kept.matches = [match(), match()]
  const { cursor } = (await list('?limit=1&since=1')).body
  const other = await person(area.people.accounts, { roles: ['user'], groups: ['soc'] })
  expect((await list(`?since=1970-01-01T00:00:00.001Z&cursor=${cursor}`)).status).toBe(200)
  for (const answer of [
    await list(`?cursor=${cursor}`),
    await list(`?since=1&direction=forward&cursor=${cursor}`),
    await list(`?since=1&cursor=${cursor}`, other),
    await list(`?since=1&cursor=${cursor.slice(0, -4)}AAAA`),
    await list('?since=1&cursor=x'),
  ])
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_cursor', param: 'cursor' } } })
})

const faults: [string, string][] = [
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['direction=both', 'direction'],
  ['entity=x', 'entity'],
  ['since=yesterday', 'since'],
  ['page=2', 'page'],
]
for (const [query, param] of faults)
  test(`matches with ${query} are refused`, async () =>
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { error: { param } } }))

test('a value that was never seen has zeros', async () => {
  const { status, body } = await area.call(user.headers, 'GET', '/seen?value=example.com')
  expect([status, body]).toEqual([200, { value: 'example.com', count: 0, first: null, last: null, rows: 0, items: [] }])
  const since = area.clock.now - 30 * 86_400_000
  expect(area.asked.seen).toEqual([
    { owner: `user:${user.id}`, value: 'example.com', below: false, since: since - (since % 3_600_000), limit: 100 },
  ])
})

test('rows of the ledger are listed with what all of them are together', async () => {
  const row = {
    value: 'a.example.com',
    field: 'query',
    hour: AT,
    count: 2,
    first: AT,
    last: AT + 5,
    hosts: ['h'],
    refs: ['r'],
  }
  area.kept.rows = [row, { ...row, count: 5, first: AT - 9 }]
  const { body } = await area.call(user.headers, 'GET', '/seen?value=example.com&below=true&limit=1')
  expect(body).toEqual({
    value: 'example.com',
    count: 7,
    first: iso(AT - 9),
    last: iso(AT + 5),
    rows: 2,
    items: [{ ...row, hour: iso(AT), first: iso(AT), last: iso(AT + 5) }],
  })
  expect(area.asked.seen[0]).toMatchObject({ below: true, limit: 1 })
})

for (const [query, param] of [
  ['', 'value'],
  ['value=', 'value'],
  ['value=a&below=maybe', 'below'],
  ['value=a&limit=1001', 'limit'],
])
  test(`a question with "${query}" is refused`, async () =>
    expect(await area.call(user.headers, 'GET', `/seen?${query}`)).toMatchObject({
      status: 400,
      body: { error: { param } },
    }))
