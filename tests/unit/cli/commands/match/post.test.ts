import { afterEach, expect, test } from 'vitest'
import { poster } from '../../../../../cli/commands/match/post.ts'
import { type EventsServer, eventsServer, type Reply } from '../../../../builders/api/events-server.ts'

let server: EventsServer | undefined
afterEach(async () => server?.close())

const PORTION = { body: '{"a":1}\n{"a":2}\n', lines: [1, 2] }
const DONE = { accepted: 2, refused: [] }

/** Posts one portion to a server that answers like this first. */
async function post(replies: readonly Reply[], { stopped = false } = {}) {
  server = await eventsServer((request) => replies[request])
  const warnings: string[] = []
  const warn = (text: string): void => void warnings.push(text.replace(`${server!.url}/`, 'URL'))
  const stop = new AbortController()
  if (stopped) stop.abort()
  const credentials = { key: 'k', secret: 's' }
  const send = poster({ url: `${server.url}/`, credentials, warn, signal: stop.signal, pauseMs: 1 })
  const answer = await send(PORTION).catch((error: Error) => error.message.replace(`${server!.url}/`, 'URL'))
  return { answer, warnings, tries: server.requests.length }
}

test('a portion is one request with the credentials of the caller', async () => {
  expect(await post([])).toEqual({ answer: DONE, warnings: [], tries: 1 })
  const [{ headers, method, path }] = server!.requests as [EventsServer['requests'][number]]
  expect([method, path]).toEqual(['POST', '/api/match/v1/events'])
  expect(headers).toMatchObject({ 'api-key': 'k', 'api-secret': 's', 'content-type': 'application/x-ndjson' })
})

test('limits, faults and broken connections are waited for', async () => {
  const replies: Reply[] = [
    { status: 429, headers: { 'retry-after': '1', 'x-error': 'rate limit exceeded' } },
    { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
    { status: 500 },
    { broken: true },
    { body: '{"line":1,"id":"a"}\n' },
  ]
  const { answer, warnings, tries } = await post(replies)
  expect([answer, tries]).toEqual([DONE, 6])
  expect(warnings).toEqual([
    '429: rate limit exceeded; retrying in 1 s',
    '503; retrying in 1 s',
    '500; retrying in 1 s',
    expect.stringMatching(/^no answer from URL: .+; retrying in 1 s$/),
    expect.stringContaining("'harrier up' starts one"),
    'the answer of URL is incomplete; retrying in 1 s',
  ])
  expect(server!.taken).toEqual(['{"a":1}', '{"a":2}'])
})

test.each<[number, Reply, string]>([
  [401, { headers: { 'x-error': 'missing or invalid credentials' } }, '401: missing or invalid credentials'],
  [403, { body: '{"error":{"message":"the caller lacks permission"}}' }, '403: the caller lacks permission'],
  [404, {}, '404'],
  [413, {}, '413'],
  [307, { headers: { location: 'http://127.0.0.1:1/' } }, '307'],
  [429, { body: '{"error":{"message":"rate limit exceeded","code":"feature_disabled"}}' }, '429: rate limit exceeded'],
])('a refusal of the whole, %s, ends it', async (status, reply, message) => {
  expect(await post([{ status, ...reply }])).toEqual({ answer: message, warnings: [], tries: 1 })
})

test('a server that never answers like the platform is none', async () => {
  const page = { status: 200, body: '<html></html>' }
  const { answer, tries } = await post(Array.from({ length: 9 }, () => page))
  expect([answer, tries]).toEqual(['URL does not answer like Harrier; check HARRIER_URL', 5])
})

test('what is under way when it stops is sent, and tried again', async () => {
  const { answer, tries } = await post([{ status: 429, headers: { 'retry-after': '3600' } }, { status: 500 }], {
    stopped: true,
  })
  expect([answer, tries]).toEqual([DONE, 3])
})
