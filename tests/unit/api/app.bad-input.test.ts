/** What no client should send: always a 4xx of the declared shape, and the API goes on. */

import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asAdmin, errorOf, startApi } from '../../builders/api/api.ts'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { during } from '../../builders/suite/during.ts'

const log = memoryLog()
const api = during(() => startApi({ log }))

type Sent = string | Buffer | ReadableStream
const post = (body: Sent, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/api/ingest/v1/entity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asAdmin, ...headers },
    body: typeof body === 'object' && 'byteLength' in body ? new Uint8Array(body) : body,
    duplex: 'half',
  } as RequestInit)

const GOOD = '{"type":"ip","attributes":{"ip":"8.8.8.8"}}'
const big = Buffer.from(`{"type":"${'x'.repeat(2 * 1024 * 1024)}"}`)
const streamed = (bytes: Buffer) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536)
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + 65_536)))
      controller.close()
    },
  })

const corpus: { name: string; body: () => Sent; headers?: Record<string, string>; status: number; code: string }[] = [
  { name: 'an empty body', body: () => '', status: 400, code: 'malformed_json' },
  { name: 'a blank body', body: () => '  \n', status: 400, code: 'malformed_json' },
  { name: 'a truncated body', body: () => GOOD.slice(0, -2), status: 400, code: 'malformed_json' },
  { name: 'two documents', body: () => GOOD + GOOD, status: 400, code: 'malformed_json' },
  { name: 'a single quote', body: () => "{'type':'ip'}", status: 400, code: 'malformed_json' },
  { name: 'a byte order mark', body: () => `\ufeff${GOOD}`, status: 400, code: 'malformed_json' },
  { name: 'a raw NUL', body: () => '{"type":"i\0p"}', status: 400, code: 'malformed_json' },
  {
    name: 'bytes that are no UTF-8',
    body: () => Buffer.from('{"type":"\xff\xfe"}', 'latin1'),
    status: 400,
    code: 'malformed_json',
  },
  { name: 'a string for an object', body: () => '"ip"', status: 400, code: 'invalid_parameter' },
  { name: 'null', body: () => 'null', status: 400, code: 'invalid_parameter' },
  { name: 'an array', body: () => '[]', status: 400, code: 'invalid_parameter' },
  {
    name: '100,000 levels',
    body: () => '['.repeat(100_000) + ']'.repeat(100_000),
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: '100,000 levels of objects',
    body: () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    status: 400,
    code: 'invalid_parameter',
  },
  { name: '33 levels', body: () => `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, status: 400, code: 'invalid_parameter' },
  {
    name: 'a lone surrogate',
    body: () => '{"type":"ip","attributes":{"ip":"\\ud800"}}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'a lone surrogate as a key',
    body: () => '{"type":"ip","attributes":{"\\udfff":"x"}}',
    status: 400,
    code: 'invalid_parameter',
  },
  { name: '1e400', body: () => '{"type":"ip","attributes":{"ip":1e400}}', status: 400, code: 'invalid_parameter' },
  {
    name: '-1e400 for a reputation',
    body: () => '{"type":"ip","attributes":{"ip":"8.8.8.8"},"reputation":-1e400}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: '__proto__ at the top',
    body: () => '{"type":"ip","attributes":{"ip":"8.8.8.8"},"__proto__":{"roles":["trusted"]}}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: '__proto__ as an attribute',
    body: () => '{"type":"ip","attributes":{"ip":"8.8.8.8","__proto__":"x"}}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'attributes that are only inherited',
    body: () => '{"type":"ip","attributes":{"__proto__":{"ip":"8.8.8.8"}}}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'constructor as a type',
    body: () => '{"type":"constructor","attributes":{"constructor":"x"}}',
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'an unknown field named with line ends',
    body: () => `{"type":"ip","attributes":{"ip":"8.8.8.8"},"x\\r\\nset-cookie: a=b\\u2028é":1}`,
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'an unknown field of 100 kB',
    body: () => `{"type":"ip","attributes":{"ip":"8.8.8.8"},"${'k'.repeat(100_000)}":1}`,
    status: 400,
    code: 'invalid_parameter',
  },
  {
    name: 'a type of astral characters',
    body: () => `{"type":"${'💥'.repeat(60)}","attributes":{"x":"y"}}`,
    status: 400,
    code: 'invalid_parameter',
  },
  { name: '2 MB with a length', body: () => big, status: 413, code: 'body_too_large' },
  { name: '2 MB without a length', body: () => streamed(big), status: 413, code: 'body_too_large' },
  {
    name: 'text/plain',
    body: () => GOOD,
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'a form',
    body: () => 'type=ip',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'a JSON look-alike',
    body: () => GOOD,
    headers: { 'content-type': 'application/jsonp' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'a compressed body',
    body: () => gzipSync(GOOD),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'unsupported_media_type',
  },
]

for (const { name, body, headers, status, code } of corpus) {
  test(`${name} is a ${status} and publishes nothing`, async () => {
    const response = await post(body(), headers)
    expect(response.status).toBe(status)
    const error = await errorOf(response)
    expect(error.code).toBe(code)
    expect(error.message!.length).toBeLessThanOrEqual(510)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(log.sends).toEqual([])
  })
}

test('of a repeated key the last one counts, and nothing of it reaches the prototype', async () => {
  const response = await post('{"type":"url","type":"ip","attributes":{"ip":"1.1.1.1"},"attributes":{"ip":"8.8.8.8"}}')
  expect(response.status).toBe(202)
  expect(({} as Record<string, unknown>).roles).toBeUndefined()
  log.sends.length = 0
})

test('JSON types with parameters or a suffix are JSON', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json']) {
    expect((await post(GOOD, { 'content-type': type })).status).toBe(202)
  }
  log.sends.length = 0
})

const gets: { name: string; path: string; status: number; param?: string }[] = [
  { name: 'an unknown path', path: '/api/nothing', status: 404 },
  { name: 'a path with another case', path: '/API/ingest/v1/definitions', status: 404 },
  { name: 'a path with a slash more', path: '/api/ingest/v1/definitions/', status: 404 },
  { name: 'a broken escape', path: '/auth/v2/admin/user/%zz', status: 400, param: 'id' },
  { name: 'an id that is no UUID', path: '/auth/v2/admin/user/1', status: 400, param: 'id' },
  { name: 'an encoded NUL', path: '/auth/v2/admin/user/%00', status: 400, param: 'id' },
  { name: 'an unknown query parameter', path: '/api/ingest/v1/definitions?page=1', status: 400, param: 'page' },
  {
    name: 'a query parameter of the prototype',
    path: '/api/ingest/v1/definitions?__proto__=1',
    status: 400,
    param: '__proto__',
  },
  { name: 'a file outside of the documents', path: '/docs/..%2fpackage.json', status: 404 },
  { name: 'a file of the prototype', path: '/docs/constructor', status: 404 },
]
for (const { name, path, status, param } of gets) {
  test(`${name} is a ${status}`, async () => {
    const response = await fetch(api.url + path, { headers: asAdmin })
    expect(response.status).toBe(status)
    expect((await errorOf(response)).param).toBe(param)
  })
}

test('a method that a path does not have is a 405 that lists the ones it has', async () => {
  const response = await fetch(`${api.url}/api/ingest/v1/entity`, { method: 'DELETE', headers: asAdmin })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toContain('POST')
  expect((await errorOf(response)).code).toBe('method_not_allowed')
})

test('whatever JSON is sent, the answer is a 202 or a 4xx of the declared shape', async () => {
  const nearly = fc.record(
    {
      type: fc.oneof(fc.constantFrom('ip', 'domain', 'url'), fc.json()),
      attributes: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant({ ip: '8.8.8.8' })),
      tags: fc.jsonValue(),
      associations: fc.array(fc.jsonValue()),
      reputation: fc.oneof(fc.integer(), fc.double()),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearly, fc.jsonValue()), async (value) => {
      const response = await post(JSON.stringify(value) ?? 'null')
      if (response.status === 202) return void (await response.json())
      expect([400, 403]).toContain(response.status)
      await errorOf(response)
    }),
    { numRuns: 300 },
  )
  log.sends.length = 0
})

test('a connection stays in step after refused and empty answers', async () => {
  const headers = Object.entries(asAdmin)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const request = (method: string, path: string, body: string, type = 'application/json') =>
    `${method} ${path} HTTP/1.1\r\nhost: x\r\n${headers}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const pairs = 50
  const pipelined = Array.from(
    { length: pairs },
    () => request('POST', '/api/ingest/v1/entity', 'a refused body', 'text/plain') + request('GET', '/livez', ''),
  ).join('')
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(pipelined))
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
      if (seen.split('"live":true').length > pairs) socket.end()
    })
    socket.on('end', () => resolve(seen))
    socket.on('error', reject)
  })
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])
  expect(statuses).toEqual(Array.from({ length: pairs }, () => ['415', '200']).flat())
})
