import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { errorOf } from '../../../../builders/api/api.ts'
import { linesOf } from '../../../../builders/api/bulk-area.ts'
import { post, raw, refusalOf } from '../../../../builders/network/raw-http.ts'
import { memoryLookups, presentRow } from '../../../../builders/reputation/memory-lookups.ts'
import { REPUTATION, reputationArea } from '../../../../builders/reputation/reputation-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const SEEN = { firstSeen: 1_000, lastSeen: 2_000 }
const ROWS = [
  presentRow('ip', '203.0.113.9', { reputation: -3, accuracy: 2, tags: ['r4'], ...SEEN }),
  presentRow('url', 'http://c2-r4.example.com/a?b=1', { reputation: -3 }),
  presentRow('email-address', 'a+b@evil-r4.example', { reputation: -1 }),
  presentRow('domain', 'evil-r4.example', { reputation: -2 }),
]
const api = during(() => reputationArea(ROWS))

const json = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(api.url + REPUTATION, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
/** The path as it is, which `fetch` would normalise. */
const get = async (value: string, method = 'GET') => {
  const answer = await raw(
    api.url,
    `${method} ${REPUTATION}/${value} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
  )
  return { ...answer!, json: answer!.body === '' ? null : JSON.parse(answer!.body) }
}

test('each value is answered in order, repeats too, with what exactly the document says', async () => {
  const response = await json({ values: ['203.0.113.9', 'x', '203[.]0[.]113[.]9', '203.0.113.9'] })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-answered-by')).toBe('index')
  const known = {
    known: true,
    type: 'ip',
    id: entityId('ip', '203.0.113.9'),
    reputation: -3,
    accuracy: 2,
    tags: ['r4'],
    wellKnown: false,
    firstSeen: '1970-01-01T00:00:01.000Z',
    lastSeen: '1970-01-01T00:00:02.000Z',
  }
  const unknown = { known: false, reputation: 0, accuracy: 0, tags: [], wellKnown: false }
  expect(await response.json()).toEqual({
    items: [
      { value: '203.0.113.9', ...known },
      { value: 'x', ...unknown, notIndicator: true },
      { value: '203[.]0[.]113[.]9', ...known },
      { value: '203.0.113.9', ...known },
    ],
  })
})

test('the header says what answered', async () => {
  api.lookups = memoryLookups(ROWS, 'store')
  expect((await json({ values: ['a'] })).headers.get('x-answered-by')).toBe('store')
  expect((await get('a')).headers['x-answered-by']).toBe('store')
  api.lookups = memoryLookups(ROWS)
})

test('10,000 values are answered, as whatever answers likes them', async () => {
  const values = Array.from({ length: 10_000 }, (_, i) => (i === 9_999 ? '203.0.113.9' : `v${i}.example`))
  for (const by of ['index', 'store'] as const) {
    api.lookups = memoryLookups(ROWS, by)
    const { items } = (await (await json({ values })).json()) as { items: { value: string; known: boolean }[] }
    expect(items.map(({ value }) => value)).toEqual(values)
    expect(items.at(-1)).toMatchObject({ known: true })
  }
  api.lookups = memoryLookups(ROWS)
})

test.each([
  ['["203.0.113.9"]', 'values'],
  ['{"value":"203.0.113.9"}', 'values'],
  ['{}', 'values'],
  ['"203.0.113.9"', 'values'],
  ['{"values":"203.0.113.9"}', 'values'],
  ['{"values":[]}', 'values'],
  ['{"values":[1]}', 'values[0]'],
  [JSON.stringify({ values: ['a', 'b'.repeat(2_049)] }), 'values[1]'],
  [JSON.stringify({ values: Array(10_001).fill('a') }), 'values'],
])('a body that is none names values (%#)', async (body, named) => {
  const response = await json(body)
  expect(response.status).toBe(400)
  const { code, message, param } = await errorOf(response)
  expect(code).toBe('invalid_parameter')
  expect(`${param} ${message}`).toContain(named)
})

test('a body of more than 4 MiB is a 413', async () => {
  const body = JSON.stringify({ values: Array.from({ length: 2_200 }, () => 'a'.repeat(2_000)) })
  expect((await json(body)).status).toBe(413)
})

test.each([
  'application/ndjson',
  'application/jsonl',
  'application/json-lines',
  'application/x-jsonlines',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
])('the content type "%s" is a 415 that names both', async (type) => {
  const bytes = post(REPUTATION, '{"value":"203.0.113.9"}\n', { 'content-type': type })
  const answer = await raw(api.url, bytes)
  expect([answer!.status, refusalOf(answer!)]).toEqual([415, 'unsupported_media_type'])
  for (const media of ['application/json', 'application/x-ndjson']) expect(answer!.body).toContain(media)
})

test.each([
  ['Application/JSON; Charset=UTF-8', '{"values":["203.0.113.9"]}'],
  ['application/json;charset="utf-8"', '{"values":["203.0.113.9"]}'],
])('the content type %s is read as JSON', async (type, body) => {
  expect(await (await json(body, { 'content-type': type })).json()).toMatchObject({ items: [{ known: true }] })
})

test.each(['Application/X-NDJSON; Charset=UTF-8', 'APPLICATION/X-NDJSON', 'application/x-ndjson;charset=utf-8'])(
  'the content type %s is read as lines',
  async (type) => {
    const response = await json('"203.0.113.9"', { 'content-type': type })
    expect(linesOf(await response.text())).toMatchObject([{ known: true }, { answered: 1, refused: 0 }])
  },
)

test.each(['application/json', 'application/x-ndjson'])(
  'a compressed body of %s is a 415 that says so',
  async (type) => {
    for (const encoding of ['gzip', 'GZIP', 'deflate', 'br', 'zstd']) {
      const response = await json('{"values":["a"]}', { 'content-type': type, 'content-encoding': encoding })
      expect(response.status).toBe(415)
      expect((await errorOf(response)).message).toContain(encoding)
    }
    expect((await json('"a"', { 'content-type': type, 'content-encoding': 'identity' })).status).not.toBe(415)
  },
)

test('no body is a 400 as JSON, and no lines as NDJSON', async () => {
  expect(refusalOf((await raw(api.url, post(REPUTATION, '', {})))!)).toBe('malformed_json')
  expect((await raw(api.url, `POST ${REPUTATION} HTTP/1.1\r\nhost: localhost\r\n\r\n`))!.status).toBe(400)
  const lines = post(REPUTATION, '', { 'content-type': 'application/x-ndjson', connection: 'close' })
  const answer = await raw(api.url, lines)
  expect(answer!.status).toBe(200)
  expect(answer!.body).toContain('{"answered":0,"refused":0}\n')
})

test('a client that asks for 100 gets it at once, and a refusal though it waits', async () => {
  const [host, port] = [new URL(api.url).hostname, Number(new URL(api.url).port)]
  const expecting = (length: number, rest: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, host)
      let got = ''
      const until = setTimeout(() => socket.destroy(), 5_000)
      socket.on('data', (bytes) => {
        got += bytes
        if (rest !== '' && got.includes('100 Continue')) socket.write(rest)
      })
      socket.on('close', () => {
        clearTimeout(until)
        resolve(got)
      })
      socket.on('error', () => undefined)
      socket.write(
        `POST ${REPUTATION} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/x-ndjson\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`,
      )
    })
  const began = performance.now()
  const served = await expecting(14, '"203.0.113.9"\n')
  expect(served).toMatch(/^HTTP\/1\.1 100 Continue[\s\S]*HTTP\/1\.1 200 OK/)
  expect(served).toContain('{"answered":1,"refused":0}')
  expect(await expecting(99_999_999, '')).toContain('HTTP/1.1 413 ')
  expect(performance.now() - began).toBeLessThan(3_000)
})

test.each<[string, string, object]>([
  [
    'a URL, encoded',
    'http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1',
    { value: 'http://c2-r4.example.com/a?b=1', reputation: -3 },
  ],
  ['a URL, encoded in small letters', 'http%3a%2f%2fc2-r4.example.com%2fa%3fb%3d1', { known: true }],
  [
    'a URL, encoded twice',
    'http%253A%252F%252Fc2-r4.example.com%252Fa%253Fb%253D1',
    { value: 'http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1', known: false },
  ],
  ['two dots, encoded', '%2e%2e', { value: '..', known: false }],
  ['two dots', '..', { value: '..', known: false }],
  ['a dot', '.', { value: '.', known: false }],
  ['a plus, encoded', 'a%2Bb@evil-r4.example', { value: 'a+b@evil-r4.example', reputation: -1 }],
  ['a plus', 'a+b@evil-r4.example', { value: 'a+b@evil-r4.example', reputation: -1 }],
  ['a name in UTF-8', '%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80-r4.example', { value: 'пример-r4.example' }],
  ['a name that is no indicator', 'x', { notIndicator: true }],
  ['a literal of the route', 'reputation', { value: 'reputation' }],
])('a path with %s', async (_, value, answer) => {
  const { status, json, headers } = await get(value)
  expect(status).toBe(200)
  expect(json).toMatchObject(answer)
  expect(headers['x-answered-by']).toBe('index')
})

test.each<[string, string, number]>([
  ['bare slashes', 'http://c2-r4.example.com/a?b=1', 404],
  ['a slash at the end', '203.0.113.9/', 404],
  ['nothing', '', 404],
  ['a percent sign', '%', 400],
  ['no hexadecimal digits', '%zz', 400],
  ['bytes that are no UTF-8', '%ff', 400],
  ['half a character', 'a%D0', 400],
  ['a NUL', '%00', 400],
  ['2,049 characters', 'a'.repeat(2_049), 400],
  ['a query', '203.0.113.9?value=x', 400],
])('a path with %s is no answer', async (_, value, status) => {
  const refused = await get(value)
  expect(refused.status).toBe(status)
  const { code, param } = refused.json.error
  if (status === 404) expect(code).toBe('not_found')
  else expect([code, param]).toEqual(['invalid_parameter', 'value'])
})

test('the longest value fits, and HEAD is a GET without its body', async () => {
  expect((await get('a'.repeat(2_048))).status).toBe(200)
  const head = await get('203.0.113.9', 'HEAD')
  expect([head.status, head.body]).toEqual([200, ''])
  expect(head.headers['content-length']).toBe((await get('203.0.113.9')).headers['content-length'])
})
