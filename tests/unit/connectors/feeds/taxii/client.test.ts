import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accessOf } from '../../../../../connectors/feeds/taxii/access.ts'
import { taxiiCollection } from '../../../../../connectors/feeds/taxii/client.ts'
import { TaxiiFault } from '../../../../../connectors/feeds/taxii/port.ts'

/** A server that answers as it should not, and a client that is not harmed by it. */
const TYPE = { 'content-type': 'application/taxii+json;version=2.1' }
const DATES = { 'x-taxii-date-added-first': '2026-01-01T00:00:00Z', 'x-taxii-date-added-last': '2026-01-02T00:00:00Z' }
const SECRET = 'correct-horse'
const BOUNDS = { limit: 10, maxBytes: 100_000, totalMs: 5_000, idleMs: 300, waits: 2, maxWaitMs: 60_000 }
const NOW = Date.UTC(2026, 0, 1)

let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: IncomingMessage[] = []
const server = createServer((request, response) => {
  asked.push(request)
  answer(request, response)
})
const other = createServer((request, response) => {
  asked.push(request)
  response.writeHead(200, { ...TYPE, ...DATES }).end('{}')
})
let base = ''
let elsewhere = ''
beforeAll(async () => {
  const listening = (one: typeof server) =>
    new Promise<string>((resolve) => {
      one.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(one.address() as AddressInfo).port}`))
    })
  ;[base, elsewhere] = [await listening(server), await listening(other)]
})
afterAll(() => {
  for (const one of [server, other]) {
    one.closeAllConnections()
    one.close()
  }
})
beforeEach(() => void asked.splice(0))

const waits: number[] = []
async function page(place: { addedAfter?: string; next?: string } = {}, user = `user:${SECRET}@`) {
  const { url, access } = await accessOf(`http://${user}${base}/shared/collections/1?key=${SECRET}`, {})
  const pause = async (ms: number) => void waits.push(ms)
  const collection = taxiiCollection(url, access, { now: () => NOW, pause }, BOUNDS)
  return collection.page({ addedAfter: null, next: null, ...place }, new AbortController().signal)
}
const json = (body: unknown, headers: object = { ...TYPE, ...DATES }, status = 200) => {
  answer = (_, response) => response.writeHead(status, { ...headers }).end(JSON.stringify(body))
}
const answers = (given: typeof answer): void => {
  answer = given
}
const fault = (): Promise<Error> =>
  page().then(
    () => expect.fail('a page'),
    (error: Error) => error,
  )

test('a page is asked for as TAXII 2.1 does, and read', async () => {
  json({ more: true, next: 'b', objects: [{ id: 'a' }] })
  expect(await page({ addedAfter: '2025-01-01T00:00:00Z', next: 'a/b' })).toEqual({
    objects: [{ id: 'a' }],
    more: true,
    next: 'b',
    first: '2026-01-01T00:00:00Z',
    last: '2026-01-02T00:00:00Z',
    undated: null,
    servedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
    bytes: 47,
  })
  const [{ url, headers }] = asked as [IncomingMessage]
  const { pathname, searchParams } = new URL(url!, 'http://x')
  expect(pathname).toBe('/shared/collections/1/objects/')
  expect(Object.fromEntries(searchParams)).toEqual({
    key: SECRET,
    added_after: '2025-01-01T00:00:00Z',
    limit: '10',
    next: 'a/b',
  })
  expect(headers.accept).toBe('application/taxii+json;version=2.1')
  expect(headers.authorization).toBe(`Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`)
})

test('an empty collection is an empty page', async () => {
  json({}, TYPE)
  expect(await page()).toMatchObject({ objects: [], more: false, next: null, last: null })
})

test('what is a little beside the standard is read', async () => {
  json({ objects: [1], more: 'True', next: 7 }, { 'content-type': 'application/json; charset=utf-8' })
  expect(await page()).toMatchObject({ objects: [1], more: true, next: '7', last: null })
  json({ objects: null, more: null, next: '' })
  expect(await page()).toMatchObject({ objects: [], more: false, next: null })
})

test('a page that is packed although nobody asked for it is read, within the same bound', async () => {
  const packed = (text: string) =>
    answers((_, response) =>
      response.writeHead(200, { ...TYPE, ...DATES, 'content-encoding': 'gzip' }).end(gzipSync(text)),
    )
  packed('{"objects": [3]}')
  expect(await page()).toMatchObject({ objects: [3] })
  packed(`{"objects": ["${'x'.repeat(200_000)}"]}`)
  expect((await fault()).message).toContain('larger than 100000 bytes')
})

test('a date that cannot be read costs no object', async () => {
  json({ objects: [1] }, { ...TYPE, 'x-taxii-date-added-last': 'soon' })
  const undated = 'X-TAXII-Date-Added-Last is not a timestamp: "soon"'
  expect(await page()).toMatchObject({ objects: [1], last: null, undated })
})

describe('what no collection answers is a fault that names no credentials', () => {
  const cases: [name: string, act: () => void, message: string][] = [
    ['HTML', () => json('<html>', { 'content-type': 'text/html' }), 'the server answered "text/html"'],
    ['no type', () => json({}, {}), 'expected application/taxii+json;version=2.1'],
    ['TAXII 2.0', () => json({}, { 'content-type': 'application/vnd.oasis.taxii+json; version=2.0' }), 'version=2.0'],
    ['another version', () => json({}, { 'content-type': 'application/taxii+json;version=3.0' }), 'version=3.0'],
    ['a list', () => json([]), 'expected an envelope'],
    ['objects that are no list', () => json({ objects: {} }), '"objects" is not a list'],
    ['more that is none', () => json({ more: 'yes' }), '"more" is neither'],
    ['next that is no text', () => json({ more: true, next: {} }), '"next" is not a text'],
    ['a long next', () => json({ more: true, next: 'x'.repeat(5_000) }), '"next" is not a text'],
    ['any JSON', () => json({}, { 'content-type': 'application/json' }), 'the server answered "application/json"'],
    ['401', () => json({}, TYPE, 401), 'answered 401: the credentials'],
    ['403', () => json({}, TYPE, 403), 'answered 403: the credentials'],
    ['404', () => json({}, TYPE, 404), 'no such collection'],
    ['406', () => json({}, TYPE, 406), 'does not support TAXII 2.1'],
    ['500', () => json({}, TYPE, 500), 'answered 500'],
    ['a page without end', () => json('x'.repeat(200_000)), 'larger than 100000 bytes'],
    ['half a page', () => answers((_, r) => r.writeHead(200, TYPE).end('{"objects": [')), 'not JSON'],
    ['silence', () => answers(() => undefined), 'no data received for 300 ms'],
    ['a page that stops', () => answers((_, r) => r.writeHead(200, TYPE).write('{')), 'cannot be read'],
    ['a closed connection', () => answers((_, r) => r.destroy()), 'socket hang up'],
    ['a circle', () => json({}, { location: '/again' }, 302), 'more than 5 redirects'],
    ['a way inside', () => json({}, { location: 'http://10.0.0.1/' }, 302), '10.0.0.1 is not a public address'],
    ['a way back', () => json({}, { location: `http://${elsewhere}/` }, 302), 'is not a public address'],
    ['a file', () => json({}, { location: 'file:///etc/passwd' }, 302), 'only http and https'],
    ['no URL', () => json({}, { location: 'http://' }, 302), 'redirects to no URL'],
  ]
  for (const [name, act, message] of cases)
    test(name, async () => {
      act()
      const error = await fault()
      expect(error).toBeInstanceOf(TaxiiFault)
      expect(error.message).toContain(message)
      expect(error.message).toContain('/shared/collections/1/objects/')
      expect(`${error.message}${error.stack}`).not.toContain(SECRET)
      expect(error.message).not.toContain(Buffer.from(`user:${SECRET}`).toString('base64'))
    })
})

describe('a server that asks for patience', () => {
  beforeEach(() => void waits.splice(0))
  const busy = (status: number, header: Record<string, string>, times: number) => {
    let left = times
    answer = (_, response) =>
      left-- > 0
        ? response.writeHead(status, header).end()
        : response.writeHead(200, { ...TYPE, ...DATES }).end('{"objects": [1]}')
  }

  test('is asked again after as many seconds as it says, or at the moment that it says', async () => {
    busy(429, { 'retry-after': '7' }, 2)
    expect(await page()).toMatchObject({ objects: [1] })
    busy(503, { 'retry-after': new Date(NOW + 3_000).toUTCString() }, 1)
    expect(await page()).toMatchObject({ objects: [1] })
    busy(503, {}, 1)
    expect(await page()).toMatchObject({ objects: [1] })
    expect(waits).toEqual([7_000, 7_000, 3_000, 10_000])
  })

  test('too often, or for too long, is a fault', async () => {
    busy(429, { 'retry-after': '1' }, 3)
    expect((await fault()).message).toContain('answered 429 and asks to wait 1 s')
    expect(waits).toEqual([1_000, 1_000])
    busy(503, { 'retry-after': '3600' }, 1)
    expect((await fault()).message).toContain('asks to wait 3600 s')
    expect(waits).toHaveLength(2)
  })
})

test('a redirect of the same server is followed with the credentials', async () => {
  answer = (request, response) =>
    request.url!.startsWith('/shared')
      ? response.writeHead(307, { location: '/moved/' }).end()
      : response.writeHead(200, { ...TYPE, ...DATES }).end('{"objects": [2]}')
  expect(await page()).toMatchObject({ objects: [2] })
  expect(asked.map(({ url }) => url!.split('?')[0])).toEqual(['/shared/collections/1/objects/', '/moved/'])
  expect(asked[1]!.headers.authorization).toBe(asked[0]!.headers.authorization)
})
