import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAX_ENTRIES, MAX_PINNED_VALUE, SAME_TURN_MS } from '../../../../../schemas/casework/casework.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { assetArea } from '../../../../builders/api/asset-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const BASE = '/api/casework/v1'
const ENTITY = `ip-${'0'.repeat(64)}`

const area = during(assetArea)
let team: Crew

type Headers = Record<string, string>
const call = (headers: Headers, method: string, path: string, body?: unknown) =>
  area.call(headers, method, BASE + path, body)
const moment = () => new Date(area.clock.now).toISOString()
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** A record of a user of a new team, and a colleague. */
async function made(path: string, body: object) {
  team = await crew(area.people)
  const { user, user2 } = team
  const one = (await call(user.headers, 'POST', path, body)).body
  return {
    user: user.headers,
    colleague: user2.headers,
    userId: user.id,
    id: one.id as string,
    one: `${path}/${one.id}`,
  }
}

type Given = { name: string; path: string; body: object; of: string; parent: string; given: object; shown: object }
const ENTRIES: Given[] = [
  {
    name: 'an item',
    path: '/watchlists',
    body: { name: 'a' },
    of: 'items',
    parent: 'watchlist_id',
    given: { kind: 'value', value: '203.0.113.7', type: 'ip', max_reputation: -1 },
    shown: {},
  },
  {
    name: 'a message',
    path: '/conversations',
    body: { title: 'a' },
    of: 'messages',
    parent: 'conversation_id',
    given: { content: 'who\nis it?' },
    shown: { role: 'user' },
  },
  {
    name: 'a turn',
    path: '/conversations',
    body: { title: 'a' },
    of: 'turns',
    parent: 'conversation_id',
    given: { question: 'who\nis it?', answer: '\u001b[1mx', tools: [{ name: 'lookup', args: '{"value":"x"}' }] },
    shown: { case_id: null, user_id: expect.any(String), seq: 0 },
  },
  {
    name: 'a note',
    path: '/cases',
    body: { title: 'a' },
    of: 'notes',
    parent: 'case_id',
    given: { body: 'two\nlines' },
    shown: {},
  },
  {
    name: 'a pinned entity',
    path: '/cases',
    body: { title: 'a' },
    of: 'entities',
    parent: 'case_id',
    given: { entity_id: ENTITY },
    shown: { entity_type: 'ip', entity_value: '', note: '' },
  },
]

for (const { name, path, body, of, parent, given, shown } of ENTRIES) {
  test(`${name} is added, listed and counted, and no colleague finds it`, async () => {
    const { user, colleague, id: record, one } = await made(path, body)
    area.clock.now += 1_000
    const added = await call(user, 'POST', `${one}/${of}`, given)
    expect([added.status, added.body]).toEqual([
      201,
      { id, [parent]: record, ...given, ...shown, created_at: moment() },
    ])
    const listed = await call(user, 'GET', `${one}/${of}`)
    expect([listed.body, listed.headers.get('x-total-count')]).toEqual([[added.body], '1'])
    expect((await call(user, 'GET', `${one}/${of}?limit=1&page=2`)).body).toEqual([])
    expect((await call(user, 'GET', one)).body.updated_at).toBe(moment())
    const told = (await call(user, 'GET', one)).body[of]
    expect(told).toEqual(path === '/conversations' ? undefined : [added.body])
    for (const [method, content] of [['GET'], ['POST', given]] as const)
      expect((await call(colleague, method, `${one}/${of}`, content)).status).toBe(404)
    const field = { ...given, more: 1 }
    const refused = await call(user, 'POST', `${one}/${of}`, field)
    expect([refused.status, refused.body.error.param]).toEqual([400, 'more'])
  })
}

test('as many of a kind as its bound says, then a 409', async () => {
  const { user, id: record, one } = await made('/cases', { title: 'a' })
  await call(user, 'POST', `${one}/notes`, { body: 'first' })
  const rest = Array.from({ length: MAX_ENTRIES.note - 1 }, (_, seq) => ({
    id: randomUUID(),
    record_id: record,
    kind: 'note',
    seq: 1 + seq,
    content: '{"body":"x"}',
    created_at: new Date(area.clock.now),
  }))
  await area.people.db.insertInto('casework_entries').values(rest).execute()
  const full = await call(user, 'POST', `${one}/notes`, { body: 'one more' })
  expect([full.status, full.body.error.code]).toEqual([409, 'conflict'])
  expect((await call(user, 'POST', `${one}/entities`, { entity_id: ENTITY })).status).toBe(201)
  expect((await call(user, 'GET', one)).body.notes).toHaveLength(MAX_ENTRIES.note)
})

const bad: [string, string, object, string][] = [
  ['/watchlists', 'items', { kind: 'entity', value: '203.0.113.7' }, 'value'],
  ['/watchlists', 'items', { kind: 'value', value: 'x', type: 'no-such-type' }, 'type'],
  ['/watchlists', 'items', { kind: 'type', value: 'no-such-type' }, 'value'],
  ['/watchlists', 'items', { kind: 'person', value: 'x' }, 'kind'],
  ['/watchlists', 'items', { kind: 'tag', value: 'x', max_reputation: 4 }, 'max_reputation'],
  ['/watchlists', 'items', { kind: 'tag', value: ' ' }, 'value'],
  ['/watchlists', 'items', { kind: 'cidr', value: '203.0.113.0/33' }, 'value'],
  ['/watchlists', 'items', { kind: 'suffix', value: 'not a name' }, 'value'],
  ['/watchlists', 'items', { kind: 'tag', value: {} }, 'value'],
  ['/watchlists', 'items', { kind: 'selector', value: 'ip' }, 'value'],
  ['/watchlists', 'items', { kind: 'selector', value: { tags: { any: [] } } }, 'value.tags.any'],
  ['/watchlists', 'items', { kind: 'selector', value: { colour: 'red' } }, 'value.colour'],
  ['/conversations', 'messages', { role: 'system', content: 'x' }, 'role'],
  ['/conversations', 'turns', { answer: 'x' }, 'question'],
  ['/conversations', 'turns', { question: ' \n' }, 'question'],
  ['/conversations', 'turns', { question: 'x', answer: '\u0000' }, 'answer'],
  ['/conversations', 'turns', { question: 'x', answer: '€'.repeat(50_000) }, 'answer'],
  ['/conversations', 'turns', { question: 'x', tools: [{ name: 'a', args: {} }] }, 'tools[0].args'],
  ['/conversations', 'turns', { question: 'x', tools: Array(65).fill({ name: 'a', args: '' }) }, 'tools'],
  ['/cases', 'notes', { body: '' }, 'body'],
  ['/cases', 'notes', { body: ' \n' }, 'body'],
  ['/cases', 'notes', { body: 'x'.repeat(10_001) }, 'body'],
  ['/cases', 'entities', { entity_id: '203.0.113.7' }, 'entity_id'],
  ['/cases', 'entities', { entity_id: `no-such-type-${'0'.repeat(64)}` }, 'entity_id'],
  ['/cases', 'entities', { entity_id: ENTITY, entity_type: 'domain' }, 'entity_type'],
  ['/cases', 'entities', { entity_id: ENTITY, note: 'x'.repeat(2_001) }, 'note'],
]
test('what cannot be kept is a 400 that names it', async () => {
  const records = {
    '/watchlists': await made('/watchlists', { name: 'a' }),
    '/conversations': await made('/conversations', { title: 'a' }),
    '/cases': await made('/cases', { title: 'a' }),
  }
  for (const [path, of, given, param] of bad) {
    const { user, one } = records[path as keyof typeof records]
    const refused = await call(user, 'POST', `${one}/${of}`, given)
    expect([of, given, refused.status, refused.body.error?.param]).toEqual([of, given, 400, param])
  }
})

test('an item is kept and shown in the normal form of what it watches', async () => {
  const { user, one } = await made('/watchlists', { name: 'a' })
  for (const [given, value] of [
    [{ kind: 'cidr', value: '203.0.113.7/24' }, '203.0.113.0/24'],
    [{ kind: 'suffix', value: 'Example.COM.' }, 'example.com'],
    [{ kind: 'tag', value: ' APT28 ' }, 'apt28'],
    [
      { kind: 'selector', value: { types: ['ip'], reputation: { lte: -2 } }, max_reputation: -2 },
      { types: ['ip'], reputation: { lte: -2 }, wellKnown: false },
    ],
  ]) {
    const added = await call(user, 'POST', `${one}/items`, given)
    expect([added.status, added.body]).toMatchObject([201, { ...(given as object), value }])
    expect((await call(user, 'GET', `${one}/items/${added.body.id}`)).body).toEqual(added.body)
  }
})

test('items and notes are removed by their id, and pinned entities by that of the entity', async () => {
  const list = await made('/watchlists', { name: 'a' })
  const item = (await call(list.user, 'POST', `${list.one}/items`, { kind: 'tag', value: 'apt' })).body
  expect((await call(list.user, 'GET', `${list.one}/items/${item.id}`)).body).toEqual(item)
  const theirs = await made('/cases', { title: 'a' })
  const note = (await call(theirs.user, 'POST', `${theirs.one}/notes`, { body: 'x' })).body
  await call(theirs.user, 'POST', `${theirs.one}/entities`, { entity_id: ENTITY })
  for (const [of, path] of [
    [list, `/items/${item.id}`],
    [theirs, `/notes/${note.id}`],
    [theirs, `/entities/${ENTITY}`],
  ] as const) {
    expect((await call(of.colleague, 'DELETE', of.one + path)).status).toBe(404)
    expect((await call(of.user, 'DELETE', of.one + path)).status).toBe(204)
    expect((await call(of.user, 'DELETE', of.one + path)).status).toBe(404)
  }
  expect((await call(list.user, 'GET', `${list.one}/items/${item.id}`)).status).toBe(404)
  expect((await call(theirs.user, 'GET', theirs.one)).body).toMatchObject({ notes: [], entities: [] })
})

test('an entity is pinned once: again is what is there, and of a long value the beginning is kept', async () => {
  const { user, one } = await made('/cases', { title: 'a' })
  const pin = { entity_id: ENTITY, entity_type: '', entity_value: `${'x'.repeat(MAX_PINNED_VALUE - 1)}😀`, note: 'why' }
  const first = await call(user, 'POST', `${one}/entities`, pin)
  expect(first.body).toMatchObject({ entity_type: 'ip', entity_value: `${'x'.repeat(MAX_PINNED_VALUE - 1)}\ufffd` })
  const again = await call(user, 'POST', `${one}/entities`, { entity_id: ENTITY, note: 'another' })
  expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
})

test('watchlists are listed with their items, and with the number of them', async () => {
  const { user, one } = await made('/watchlists', { name: 'a' })
  const item = (await call(user, 'POST', `${one}/items`, { kind: 'type', value: 'ip' })).body
  const { body } = await call(user, 'GET', '/watchlists')
  expect(body).toEqual([expect.objectContaining({ item_count: 1, items: [item] })])
})

test('turns and messages of a conversation stand in one order, and a turn that was sent again stands there once', async () => {
  const { user, one } = await made('/conversations', { title: 'a' })
  const other = (await call(user, 'POST', '/conversations', { title: 'b' })).body.id
  await call(user, 'POST', `${one}/messages`, { content: 'x' })
  const turn = { question: 'Again?', answer: '', tools: [] }
  const sent = await call(user, 'POST', `${one}/turns`, turn)
  const again = await call(user, 'POST', `${one}/turns`, turn)
  expect([sent.status, sent.body.seq, again.status, again.body]).toEqual([201, 1, 200, sent.body])
  area.clock.now += SAME_TURN_MS + 1
  expect((await call(user, 'POST', `${one}/turns`, turn)).body.seq).toBe(2)
  const listed = (await call(user, 'GET', '/conversations')).body
  expect(listed[0]).toMatchObject({ message_count: 3, last_message_at: moment() })
  expect(listed[1]).toMatchObject({ id: other, message_count: 0, last_message_at: null })
  const seqs = (await call(user, 'GET', `${one}/turns`)).body.map(({ seq }: { seq: number }) => seq)
  expect(seqs).toEqual([1, 2])
})

test('a search of conversations finds turns of the caller, and the case that their conversation is about', async () => {
  const { user, colleague, one, id: conversation } = await made('/conversations', { title: 'a' })
  const { id: about } = (await call(user, 'POST', '/cases', { title: 'a' })).body
  await call(user, 'PATCH', one, { case_id: about })
  const turn = (await call(user, 'POST', `${one}/turns`, { question: 'What is evil.example.com?' })).body
  const search = (headers: Headers, q: string, more = '') =>
    call(headers, 'GET', `/conversations/search?q=${encodeURIComponent(q)}${more}`)
  const found = await search(user, 'example.com what')
  expect([found.status, found.body, found.headers.get('x-total-count')]).toEqual([200, [turn], '1'])
  expect(turn).toMatchObject({ conversation_id: conversation, case_id: about })
  for (const [headers, q] of [
    [user, ''],
    [user, ' '],
    [user, 'nothing'],
    [colleague, 'what'],
  ] as const)
    expect((await search(headers, q)).body).toEqual([])
  for (const [q, more, param] of [
    ['x'.repeat(1_001), '', 'q'],
    ['x', '&limit=51', 'limit'],
  ] as const)
    expect((await search(user, q, more)).body.error.param).toBe(param)
  expect((await call(user, 'GET', '/conversations/search')).status).toBe(400)
})
