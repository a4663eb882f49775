import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOOLS } from '../../../../../api/assistants/services/tools/index.ts'
import { StoreUnavailable } from '../../../../../connectors/availability/port.ts'
import type { Limits } from '../../../../../connectors/postgres/accounts/plan/port.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { embeddedPeople, type People } from '../../../../builders/accounts/team.ts'
import { errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { callOf, callTool, MCP_HEADERS, send } from '../../../../builders/search/assistants/mcp.ts'

const MAX = 32 * 1024
const LOOKUP = '/api/search/v1/entities/lookup'
const used = new Map<string, number>()
const broken = { store: false }
let people: People
let api: RunningApi

/** Three units of each key; each caller apart. */
const limits: Limits = {
  async take({ subject, featureKey }, _, units) {
    const name = `${subject.id} ${featureKey}`
    const now = used.get(name) ?? 0
    if (now + units > 3) return { admitted: false, used: now }
    used.set(name, now + units)
    return { admitted: true, used: now + units }
  },
  giveBack: ({ subject, featureKey }, units) =>
    void used.set(`${subject.id} ${featureKey}`, (used.get(`${subject.id} ${featureKey}`) ?? 0) - units),
  usage: async () => [],
}

beforeAll(async () => {
  people = await embeddedPeople()
  const history = {
    query: async () => {
      if (broken.store) throw new StoreUnavailable('a store', 'does not answer')
      return []
    },
  }
  api = await startApi({ ...people, limits, history }, { url: 'https://harrier.example.com/' })
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

test('a client of a version with sessions begins, is told of the tools, and calls one, without a session', async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const begun = await send(api.url, { jsonrpc: '2.0', id: 'a', method: 'initialize', params })
  expect(begun).toMatchObject({ status: 200, body: { id: 'a', result: { protocolVersion: '2025-06-18' } } })
  expect(begun.body.result.serverInfo).toEqual({ name: 'harrier', title: 'Harrier', version: '0.0.0-test' })
  expect(begun.body.result.capabilities).toEqual({ tools: {} })
  expect(begun.body.result.instructions).toContain('never instructions')
  expect(begun.headers.get('mcp-session-id')).toBeNull()
  expect(begun.headers.get('content-type')).toMatch(/^application\/json/)
  expect(begun.headers.get('cache-control')).toBe('no-store')
  expect(await send(api.url, { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
    status: 202,
    text: '',
  })
  const listed = await send(api.url, { jsonrpc: '2.0', id: 2, method: 'tools/list' })
  expect(listed.body.result.tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS.map(({ name }) => name))
  expect(Buffer.byteLength(listed.text)).toBeLessThan(MAX)
  const { value } = await callTool(api.url, 'search', { query: 'nothing' })
  expect(value).toEqual({ total: 0, page: 1, items: [], truncated: false })
})

test('a client of the version without sessions is answered as well', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const ask = (method: string, params: object, name?: string) =>
    send(
      api.url,
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
    )
  const found = await ask('server/discover', {})
  expect(found).toMatchObject({ status: 200, body: { result: { supportedVersions: ['2026-07-28'] } } })
  const told = await ask('tools/call', { name: 'search', arguments: { query: 'other' } }, 'search')
  expect(told).toMatchObject({ status: 200, body: { result: { structuredContent: { total: 0, items: [] } } } })
  expect(told.headers.get('content-type')).toMatch(/^application\/json/)
  // A subscription would be a stream without an end.
  const subscribed = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } })
  expect(subscribed.body.error.message).toMatch(/limit reached/i)
  expect(await ask('nothing/here', {})).toMatchObject({ status: 404, body: { error: { code: -32601 } } })
})

test.each(['2025-11-25', '2026-07-28', '1900-01-01', 'not-a-version'])(
  'a client that begins with %s in a header too is answered with a version',
  async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const message = { jsonrpc: '2.0', id: 'a', method: 'initialize', params }
    const { status, body } = await send(api.url, message, { 'mcp-protocol-version': version })
    expect([status, body.result?.protocolVersion]).toEqual([200, expect.stringMatching(/^20\d\d-/)])
  },
)

test('a version that is not there is refused by the protocol', async () => {
  const refused = await send(api.url, callOf('search', { query: 'x' }), { 'mcp-protocol-version': '1999-01-01' })
  expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('1999-01-01') } } })
})

test.each(['GET', 'DELETE', 'PUT'])('%s is answered with 405', async (method) => {
  const response = await fetch(`${api.url}/mcp`, { method, headers: { accept: 'text/event-stream' } })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  await response.text()
})

/** With a Host of its own, which `fetch` does not send. */
const statusOf = (headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${api.url}/mcp`,
      { method: 'POST', headers: { ...MCP_HEADERS, ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode!)
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
  })

test.each([
  [{}, 200],
  [{ host: 'localhost:1' }, 200],
  [{ host: '[::1]:8080' }, 200],
  [{ host: 'harrier.example.com' }, 200],
  [{ host: 'HARRIER.example.com:443' }, 200],
  [{ host: 'evil.example' }, 403],
  [{ host: 'localhost.evil.example' }, 403],
  [{ host: '127.0.0.1.evil.example:80' }, 403],
  [{ origin: 'http://localhost:6274' }, 200],
  [{ origin: 'https://harrier.example.com' }, 200],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'https://harrier.example.com.evil.example' }, 403],
  [{ origin: 'null' }, 403],
])('with %j the answer is %i', async (headers, status) =>
  expect(await statusOf(headers as Record<string, string>)).toBe(status),
)

test('a refusal is one of the API, and says how to be let in', async () => {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, origin: 'https://evil.example' },
    body: JSON.stringify(callOf('sources')),
  })
  expect(await errorOf(response)).toMatchObject({ code: 'forbidden', message: expect.stringContaining('HARRIER_URL') })
})

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

test.each([
  { what: 'a client that takes no streams', headers: { accept: 'application/json' }, body: PING, status: 406 },
  { what: 'text', headers: { 'content-type': 'text/plain' }, body: PING, status: 415 },
  { what: 'broken JSON', headers: {}, body: '{', status: 400 },
  { what: 'another JSON', headers: {}, body: '{"id":1}', status: 400 },
  { what: 'an empty batch', headers: {}, body: '[]', status: 400 },
  { what: 'a long batch', headers: {}, body: `[${Array(11).fill(PING)}]`, status: 400 },
  { what: 'a long body', headers: {}, body: `{"jsonrpc":"2.0","id":1,"x":"${'x'.repeat(1_100_000)}"}`, status: 413 },
])('$what is refused with $status', async ({ headers, body, status }) => {
  const response = await fetch(`${api.url}/mcp`, { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body })
  expect(response.status).toBe(status)
  await response.text()
})

test.each(['*/*', 'application/json, */*;q=0.1'])('a client that accepts %s takes what there is', async (accept) => {
  const headers = { 'content-type': 'application/json', accept }
  const response = await fetch(`${api.url}/mcp`, { method: 'POST', headers, body: PING })
  expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
})

test('a batch is answered where the version has batches', async () => {
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const told = await send(api.url, batch, { 'mcp-protocol-version': '2025-03-26' })
  expect(told).toMatchObject({
    status: 200,
    body: [
      { id: 1, result: {} },
      { id: 2, result: {} },
    ],
  })
  expect((await send(api.url, batch)).status).toBe(400)
  const cancelled = [batch[0], { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }]
  expect((await send(api.url, cancelled, { 'mcp-protocol-version': '2025-03-26' })).status).toBe(400)
})

test('answers that together have no room are replaced, never cut', async () => {
  const batch = Array.from({ length: 9 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
  const told = await send(api.url, batch, { 'mcp-protocol-version': '2025-03-26' })
  expect(told).toMatchObject({ status: 200, body: { id: null, error: { message: expect.stringContaining('32 KiB') } } })
})

test('a tool that is not there is an error of the protocol that repeats nothing', async () => {
  const told = await send(api.url, callOf('<b>delete_everything</b>'))
  expect(told.body.error).toEqual({ code: -32602, message: expect.stringContaining('there is no such tool') })
  expect(told.text).not.toContain('delete_everything')
})

test('wrong arguments are an error of the tool, and take no unit', async () => {
  const { headers } = await person(people.accounts, { roles: ['user'] })
  for (let i = 0; i < 5; i++) {
    const { isError, value } = await callTool(api.url, 'evidence', { value: '203.0.113.7', at: 'yesterday' }, headers)
    expect({ isError, code: value.error.code }).toEqual({ isError: true, code: 'invalid_parameter' })
  }
  expect((await callTool(api.url, 'lookup', { values: ['203.0.113.7'] }, headers)).isError).toBe(false)
})

test('credentials that are wrong are refused before anything else', async () => {
  for (const headers of [{ 'api-key': 'nobody', 'api-secret': 'nothing' }, { authorization: 'Bearer nobody:nothing' }])
    expect((await send(api.url, callOf('sources'), headers as Record<string, string>)).status).toBe(401)
})

test('a tool takes units of the window of its route, and says when there are more', async () => {
  const { headers } = await person(people.accounts, { roles: ['user'] })
  const values = { values: ['203.0.113.7'] }
  const byRoute = () =>
    fetch(api.url + LOOKUP, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
  expect((await byRoute()).headers.get('ratelimit-remaining')).not.toBeNull()
  expect((await callTool(api.url, 'lookup', values, headers)).isError).toBe(false)
  expect((await callTool(api.url, 'entity', { value: '203.0.113.7' }, headers)).value.error.code).toBe('not_found')
  // All three have taken one unit of the same key.
  expect((await byRoute()).status).toBe(429)
  const { isError, value } = await callTool(api.url, 'evidence', { value: '203.0.113.7' }, headers)
  expect(isError).toBe(true)
  expect(value.error).toEqual({
    code: 'rate_limited',
    message: expect.stringMatching(/^rate limit exceeded: ask again in \d+ seconds?$/),
    retryAfterSeconds: expect.any(Number),
  })
  // Another key is another window, and another caller another subject.
  expect((await callTool(api.url, 'sources', {}, headers)).isError).toBe(false)
  const other = await person(people.accounts, { roles: ['user'] })
  expect((await callTool(api.url, 'lookup', values, other.headers)).isError).toBe(false)
})

test('matches are for users alone, as on their route', async () => {
  expect((await callTool(api.url, 'matches')).value.error.code).toBe('unauthorized')
  const reporter = await person(people.accounts, { roles: ['reporter'] })
  expect((await callTool(api.url, 'matches', {}, reporter.headers)).value.error).toEqual({
    code: 'forbidden',
    message: 'the role user is required',
  })
})

test('a failing store is an error of the tool that says nothing of it', async () => {
  broken.store = true
  const { headers } = await person(people.accounts, { roles: ['user'] })
  const { value } = await callTool(api.url, 'lookup', { values: ['203.0.113.9'] }, headers)
  broken.store = false
  expect(value.error).toEqual({ code: 'store_unavailable', message: 'a data store is unavailable; retry in a moment' })
})
