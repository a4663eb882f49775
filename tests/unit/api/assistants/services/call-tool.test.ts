import { afterEach, expect, test, vi } from 'vitest'
import { callTools } from '../../../../../api/assistants/services/call-tool.ts'
import type { Asker, Question } from '../../../../../api/assistants/services/inner-requests.ts'
import { describe as described } from '../../../../../api/assistants/services/mcp-server.ts'
import { ASKED } from '../../../../../api/assistants/services/tool.ts'
import { TOOLS } from '../../../../../api/assistants/services/tools/index.ts'
import { StreamBody } from '../../../../../api/http/answers/stream-body.ts'
import { ApiError } from '../../../../../api/http/errors.ts'
import { BUILT_IN_ADMINISTRATOR } from '../../../../../api/http/middleware/identity.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { harmOf, PLANTED } from '../../../../builders/search/assistants/planted.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
const ROOM = 31_000
const ID = entityId('ip', '203.0.113.7')
const at = '2026-03-01T12:00:00.000Z'
const caller: Asker = {
  user: null,
  groups: ['public'],
  ip: '127.0.0.1',
  again: async () => null,
  signal: new AbortController().signal,
}
const logger = { error: vi.fn() }
afterEach(() => void logger.error.mockClear())

/** Tools over routes that answer with what is given, by name. */
function tools(answers: Partial<Record<keyof typeof ASKED, unknown>>, user: Identity | null = null) {
  const recorded: string[] = []
  const asked: { route: string; question: Question }[] = []
  const nameOf = (path: string) => Object.entries(ASKED).find(([, one]) => one === path)![0] as keyof typeof ASKED
  const call = callTools(
    {
      route: (path) => async (_, question) => {
        asked.push({ route: path, question })
        const answer = answers[nameOf(path)]
        if (answer instanceof Error) throw answer
        return answer
      },
      record: (_, outcome) => void recorded.push(outcome),
      now: () => NOW,
      logger,
    },
    TOOLS,
  )
  const tell = (name: string, given: unknown, room = ROOM) =>
    call(TOOLS.find((one) => one.name === name)!, given, { ...caller, user }, room)
  return { tell, asked, recorded }
}

const record = (text: string) => ({
  id: ID,
  type: 'text',
  '@timestamp': at,
  lastSeen: at,
  reputation: -3,
  bestReputation: -3,
  worstReputation: -3,
  accuracy: 2,
  attributes: { text, url: text, 'email-subject': text, country: text },
  tags: [text, 'plain'],
  wellKnown: false,
})
const network = (text: string) => ({
  id: ID,
  value: text,
  reputation: 0,
  accuracy: 0,
  wellKnown: true,
  tags: [text],
  lastSeen: at,
})
const change = (text: string) => ({
  id: 'x',
  kinds: ['created'],
  reason: 'reported',
  at,
  entity: { id: ID, type: 'ip', value: text, reputation: -3, tags: [text] },
})
const line = (event: string, data: object) => `${JSON.stringify({ event, cursor: 'cursor-1', data })}\n`

/** What routes answer when everything that a reporter may write is this text. */
const answersOf = (text: string) => ({
  lookup: {
    items: 1,
    missing: 0,
    unrecognised: [text],
    results: [{ value: text, entities: [record(text)], coveredBy: [network(text)] }],
  },
  entity: { ...record(text), coveredBy: [network(text)], retracted: true },
  comments: {
    items: 1,
    results: [{ id: 'x', '@timestamp': at, comment: text, userID: 'u', reporter: { name: text }, parentID: null }],
  },
  evidence: {
    entityID: ID,
    at,
    reputation: 3,
    accuracy: 3,
    wellKnown: false,
    floored: false,
    standing: { sources: 1, bad: 1, good: 0, neutral: 0, expired: 0, newest: at, next: null },
    rules: text,
    verdict: { verdict: 'benign', reason: text, at, userID: 'u' },
    claims: [{ sourceKind: 'feed', reporter: { kind: 'feed', name: text }, weight: 1, visibleBy: [text] }],
  },
  relations: {
    items: 1,
    pages: 1,
    results: [
      {
        id: 'x',
        entityID: ID,
        relatedEntityID: ID,
        mode: 'association',
        relationships: [text],
        direction: 'outgoing',
        type: 'text',
        value: text,
        reputation: null,
        accuracy: null,
        '@timestamp': at,
        lastSeen: at,
        visibleBy: [text],
      },
    ],
  },
  search: { items: 1, results: [record(text)] },
  select: { items: 1, results: [record(text)] },
  matches: {
    items: [
      {
        id: 'x',
        at,
        entity: { id: ID, type: 'ip', value: text, reputation: -3, accuracy: 1, tags: [text] },
        withdrawnReason: text,
        event: { at, kind: text, host: text, user: text, field: text, value: text, refs: [text] },
      },
    ],
    cursor: null,
  },
  changes: new StreamBody('application/x-ndjson', (sink) =>
    sink.write(line('change', change(text)) + line('caught-up', {})),
  ),
  sources: { items: [{ source: text, kind: 'feed', volume: 1 }], sources: 1, window: { days: 30 } },
})

const QUESTIONS: readonly (readonly [string, object])[] = [
  ['lookup', { values: ['203.0.113.7'] }],
  ['entity', { id: ID, comments: true }],
  ['evidence', { id: ID }],
  ['relations', { id: ID }],
  ['search', { query: 'x' }],
  ['search', { tags: ['x'] }],
  ['matches', {}],
  ['changes', {}],
  ['sources', {}],
]

test('there is a question for each tool', () => {
  expect([...new Set(QUESTIONS.map(([name]) => name))]).toEqual(TOOLS.map(({ name }) => name))
})

for (const [name, question] of QUESTIONS)
  test.each(PLANTED)(`${name} ${JSON.stringify(question)} quotes %j as inert data`, async (text) => {
    const answer = await tools(answersOf(text)).tell(name, question)
    expect(answer).toMatchObject({ isError: false, value: { truncated: false } })
    expect(harmOf(answer.text)).toEqual([])
    expect(harmOf(JSON.stringify(answer.value).replaceAll('<', ''))).toEqual([])
    expect(JSON.parse(answer.text)).toEqual(answer.value)
    // The words are still there to be read, as words.
    expect(answer.text).toMatch(/gnore previous instructions|delete_everything|plain text|logo|mallory/)
  })

test('what tools are called and say of themselves holds no data, and every argument is described', () => {
  for (const told of described(TOOLS)) {
    expect(told.name).toMatch(/^[a-z]+$/)
    expect(told.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    const { properties } = told.inputSchema as unknown as { properties: Record<string, { description?: string }> }
    for (const [name, { description }] of Object.entries(properties))
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/./) })
  }
  expect(JSON.stringify(described(TOOLS))).toBe(JSON.stringify(described(TOOLS)))
})

test('texts of reporters stand in members that say what they are', async () => {
  const { value } = await tools(answersOf('some words')).tell('entity', { id: ID, comments: true })
  expect(value).toMatchObject({
    id: ID,
    type: 'text',
    value: 'some words',
    comments: 1,
    tags: ['some words', 'plain'],
    attributes: [
      { type: 'url', value: 'some words' },
      { type: 'country', value: 'some words' },
    ],
    quotedUntrustedText: [{ type: 'email-subject', text: 'some words' }],
    quotedUntrustedComments: [{ id: 'x', at, userId: 'u', reporter: 'some words', parentId: null, text: 'some words' }],
    coveredBy: [{ id: ID, type: 'cidr', value: 'some words' }],
  })
})

test('of a text its indicators are asked about, and each is told with its lines', async () => {
  const lookup = {
    items: 1,
    missing: 2,
    unrecognised: [],
    results: [{ value: '203.0.113.7', entities: [record('x')], coveredBy: [network('203.0.113.0/24')] }],
  }
  const { tell, asked } = tools({ lookup })
  const text = 'from 203.0.113[.]7\r\nGET hxxp://evil[.]com/a from 10.0.0.1\nagain 203.0.113.7'
  const { value, isError } = await tell('lookup', { text })
  expect(asked.map(({ question }) => question)).toEqual([
    { body: { values: ['203.0.113.7', 'http://evil.com/a', 'evil.com'] } },
  ])
  expect({ value, isError }).toMatchObject({
    isError: false,
    value: {
      indicators: 3,
      leftOut: { notPublic: 1, tooLong: 0, tooMany: 0 },
      found: 1,
      results: [{ asked: '203[.]0[.]113[.]7', lines: [1, 3], id: ID }],
      coveredBy: [{ asked: '203[.]0[.]113[.]7', lines: [1, 3] }],
      unknown: [
        { asked: 'hxxp://evil[.]com/a', lines: [2] },
        { asked: 'evil[.]com', lines: [2] },
      ],
    },
  })
})

test('a text without indicators asks nothing; of a long one the first hundred are asked about', async () => {
  const { tell, asked } = tools(answersOf('x'))
  expect((await tell('lookup', { text: 'nothing here' })).value).toMatchObject({ indicators: 0, found: 0, unknown: [] })
  expect(asked).toEqual([])
  const text = Array.from({ length: 120 }, (_, n) => `h${n}.evil.com`).join(' ')
  const { value } = await tell('lookup', { text })
  expect(value).toMatchObject({ indicators: 100, leftOut: { tooMany: 20 } })
  expect((asked[0]!.question.body as { values: string[] }).values).toHaveLength(100)
})

test('what has no room is left out whole, and the answer says how to go on', async () => {
  const results = Array.from({ length: 60 }, () => record('x'.repeat(900)))
  const { tell } = tools({ search: { items: 500, results }, matches: { items: [], cursor: 'next' } })
  const { value, text } = await tell('search', { query: 'x', limit: 60 })
  const { items, omitted } = value as { items: unknown[]; omitted: { items: number } }
  expect(items.length + omitted.items).toBe(60)
  expect(value).toMatchObject({ truncated: true, total: 500, more: expect.stringContaining(`limit ${items.length} `) })
  expect(Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(ROOM)
  expect((await tell('matches', {})).value).toEqual({ items: [], truncated: false, cursor: 'next' })
})

test('of truncated changes the cursor is behind the last that is shown', async () => {
  const lines = Array.from(
    { length: 50 },
    (_, n) => `${JSON.stringify({ event: 'change', cursor: `cursor-${n}`, data: change('x'.repeat(900)) })}\n`,
  )
  const changes = new StreamBody('application/x-ndjson', (sink) => sink.write(lines.join('') + line('caught-up', {})))
  const { value } = await tools({ changes }).tell('changes', { limit: 100 })
  const { items, cursor } = value as { items: unknown[]; cursor: string }
  expect(items.length).toBeLessThan(50)
  expect(cursor).toBe(`cursor-${items.length - 1}`)
  expect(value).toMatchObject({ truncated: true, caughtUp: false })
})

test('questions go on to routes as they are meant', async () => {
  const { tell, asked } = tools(answersOf('x'))
  await tell('search', { query: ' evil[.]example ' })
  await tell('search', {
    types: ['ip'],
    tags: ['a'],
    reputationAtMost: -1,
    accuracyAtLeast: 1,
    seenWithin: '7d',
    limit: 3,
  })
  await tell('changes', { kinds: ['scored'], types: ['ip', 'domain'] })
  await tell('matches', { value: '203.0.113[.]7', limit: 2 })
  expect(asked.map(({ question }) => question)).toEqual([
    { body: { query: 'evil.example' }, query: { limit: 20, page: 1 } },
    {
      body: {
        selector: {
          types: ['ip'],
          tags: { any: ['a'] },
          reputation: { lte: -1 },
          accuracy: { gte: 1 },
          seenWithin: '7d',
        },
        limit: 3,
      },
    },
    {
      query: {
        since: '2026-03-01T11:00:00.000Z',
        kinds: 'scored',
        types: 'ip,domain',
        tags: undefined,
        reputationAtMost: undefined,
      },
      media: 'application/x-ndjson',
    },
    { query: { since: undefined, direction: undefined, limit: 2, cursor: undefined, entity: ID } },
  ])
})

test.each([
  ['lookup', {}, 'values: is required'],
  ['lookup', { values: ['a'], text: 'b' }, 'text: cannot be combined with values'],
  ['lookup', { text: 'x'.repeat(65_537) }, /^text: /],
  ['lookup', { values: ['a'], more: 1 }, 'more: unknown body field'],
  ['lookup', 'values', /must be object/],
  ['search', { query: 'x', tags: ['y'] }, 'tags: cannot be combined with query'],
  ['search', { tags: ['y'], page: 2 }, 'page: is only allowed together with query'],
  ['entity', { value: 'no form' }, /^type: is required/],
])('%s %j is refused with the name of what is wrong', async (name, given, message) => {
  const { tell, asked } = tools(answersOf('x'))
  const answer = await tell(name, given)
  expect(answer).toMatchObject({
    isError: true,
    value: { error: { code: 'invalid_parameter', message: expect.stringMatching(message) } },
  })
  expect(JSON.parse(answer.text)).toEqual(answer.value)
  expect(asked).toEqual([])
})

test('a search that finds nothing is an answer', async () => {
  const { tell } = tools({ search: new ApiError('no_results') })
  expect(await tell('search', { query: 'x' })).toMatchObject({ isError: false, value: { total: 0, items: [] } })
})

test('a refused limit says in words when to ask again', async () => {
  const { tell } = tools({ lookup: new ApiError('rate_limited', { retryAfter: 42 }) })
  expect((await tell('lookup', { values: ['x'] })).value).toEqual({
    error: {
      code: 'rate_limited',
      message: 'rate limit exceeded: ask again in 42 seconds',
      retryAfterSeconds: 42,
    },
  })
  expect(logger.error).not.toHaveBeenCalled()
})

test('of a fault nothing is told, and it is logged', async () => {
  const { tell } = tools({ lookup: new Error('secret'), matches: 'not an answer' })
  for (const [name, given] of [['lookup', { values: ['x'] }] as const, ['matches', {}] as const])
    expect((await tell(name, given)).value).toEqual({ error: { code: 'internal', message: 'internal error' } })
  expect(logger.error).toHaveBeenCalledTimes(2)
})

test('an answer whose head has no room is refused', async () => {
  const { tell } = tools(answersOf('x'))
  expect(await tell('entity', { id: ID }, 200)).toMatchObject({
    isError: true,
    value: { error: { code: 'body_too_large' } },
  })
})

test('a key that is narrowed needs the scope of each tool, and what is called is recorded', async () => {
  const { tell, recorded } = tools(answersOf('x'), {
    ...BUILT_IN_ADMINISTRATOR,
    bounds: { scopes: ['search'], groups: null, networks: null },
  })
  expect(await tell('entity', { id: ID })).toMatchObject({ isError: true, value: { error: { code: 'scope_missing' } } })
  expect((await tell('lookup', { values: ['x'] })).isError).toBe(false)
  expect(recorded).toEqual(['refused', 'success'])
  expect(TOOLS.map(({ name, scope }) => `${name} ${scope}`)).toEqual([
    'lookup search',
    'entity read',
    'evidence read',
    'relations read',
    'search search',
    'matches match',
    'changes read',
    'sources read',
  ])
})
