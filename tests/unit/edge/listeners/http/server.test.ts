import { describe, expect, test } from 'vitest'
import { allowing } from '../../../../../edge/listeners/allowed.ts'
import { httpEdge } from '../../../../builders/edge/http-edge.ts'
import { raw } from '../../../../builders/network/raw-http.ts'

const edge = httpEdge()

/** One request with its path as it stands. */
async function get(path: string, given: { url?: string; method?: string; headers?: string } = {}) {
  const { url = edge.url(), method = 'GET', headers = '' } = given
  const answer = (await raw(url, `${method} ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`))!
  return { ...answer, json: () => JSON.parse(answer.body) as Record<string, unknown> & { error: { code: string } } }
}

describe('GET /v1/{value}', () => {
  test('answers with a verdict, of what is not listed too', async () => {
    const { status, headers, json } = await get('/v1/203.0.113.9')
    expect([status, headers['content-type'], headers['x-feed-age'], headers['cache-control']]).toEqual([
      ...[200, 'application/json', '12', 'no-store'],
    ])
    expect(json()).toEqual(edge.answers.answer('203.0.113.9'))
    const other = await get('/v1/198.51.100.1')
    expect([other.status, other.body]).toEqual([200, '{"value":"198.51.100.1","listed":false}'])
  })

  test.each([
    ['http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1', 'http://c2-r4.example.com/a?b=1', true],
    ['http%3a%2f%2fc2-r4.example.com%2fa%3fb%3d1', 'http://c2-r4.example.com/a?b=1', true],
    ['http%253A%252F%252Fc2-r4.example.com%252Fa%253Fb%253D1', 'http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1', false],
    ['a%2Bb@mail-r4.example', 'a+b@mail-r4.example', true],
    ['a+b@mail-r4.example', 'a+b@mail-r4.example', true],
    ['%D0%BF%D1%80%D0%B8%E2%80%A8%D0%BC%D0%B5%D1%80%20r4', 'при\u2028мер r4', true],
    ['.', '.', false],
    ['..', '..', false],
    ['%2e%2e', '..', false],
    ['%2e%2e%2fhealthz', '../healthz', false],
    ['healthz', 'healthz', false],
    ['%20', ' ', false],
    ['%25', '%', false],
    [`${'a'.repeat(2_048)}`, 'a'.repeat(2_048), false],
  ])('reads %s', async (path, value, listed) => {
    const { status, json } = await get(`/v1/${path}`)
    expect([status, json()]).toEqual([200, expect.objectContaining({ value, listed })])
  })

  test.each([
    'http://c2-r4.example.com/a',
    'http:%2F%2Fc2-r4.example.com/a',
    '203.0.113.9/',
    '../healthz',
    '%',
    '%z',
    '%zz',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%00',
    'a%00b',
    'http%3A%2F%2Fc2-r4.example.com%2Fa?b=1',
    '203.0.113.9?',
    'a'.repeat(2_049),
    '%D0%BF'.repeat(1_025),
  ])('refuses %s, and names the value', async (path) => {
    const { status, json } = await get(`/v1/${path}`)
    expect([status, json().error]).toEqual([400, expect.objectContaining({ param: 'value' })])
  })

  test('has a trailing slash or no value: the route of many, which it says', async () => {
    for (const path of ['/v1', '/v1/']) {
      const { status, headers, json } = await get(path)
      expect([status, headers.allow, json().error.code]).toEqual([405, 'POST', 'method_not_allowed'])
    }
  })

  test('of HEAD has the same head and no body', async () => {
    const url = `${edge.url()}/v1/203.0.113.9`
    const [whole, head] = [await fetch(url), await fetch(url, { method: 'HEAD' })]
    expect(head.headers.get('content-length')).toBe(String((await whole.text()).length))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('of %s is refused', async (method) => {
    const { status, headers } = await get('/v1/203.0.113.9', { method })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['/', '/v2/x', '/v10', '/V1/203.0.113.9', '/healthz/', '//v1/203.0.113.9', '/v1%2f203.0.113.9'])(
    'is not %s',
    async (path) => expect((await get(path)).status).toBe(404),
  )
})

describe('a list that is too old', () => {
  test('is said with 503 for each value, and the rest still answers', async () => {
    edge.answers.state.stale = true
    try {
      for (const path of ['/v1/203.0.113.9', '/v1/198.51.100.1', '/healthz']) expect((await get(path)).status).toBe(503)
      const { json, headers } = await get('/v1/203.0.113.9')
      expect([json().error.code, json().listed, headers['x-feed-age']]).toEqual(['stale', undefined, '12'])
      expect((await get('/metrics')).status).toBe(200)
      expect((await get('/v1/%zz')).status).toBe(400)
      edge.answers.state.age = null
      expect((await get('/healthz')).headers['x-feed-age']).toBeUndefined()
    } finally {
      Object.assign(edge.answers.state, { stale: false, age: 12.7 })
    }
    expect((await get('/v1/203.0.113.9')).status).toBe(200)
  })
})

describe('who may ask', () => {
  const secret = httpEdge({ secret: 'open sesame' })
  const both = httpEdge({ secret: 'open sesame', allowed: allowing(['192.0.2.0/24']) })
  const here = httpEdge({ secret: 'open sesame', allowed: allowing(['127.0.0.0/8']) })
  const BEARER = 'authorization: Bearer open sesame\r\n'

  test('shows the secret, but for /healthz', async () => {
    const url = secret.url()
    for (const path of ['/v1/203.0.113.9', '/metrics', '/', '/v1']) {
      const { status, headers, json } = await get(path, { url })
      expect([path, status, headers['www-authenticate'], json().error.code]).toEqual([
        path,
        401,
        'Bearer',
        'unauthorized',
      ])
    }
    expect((await get('/healthz', { url })).status).toBe(200)
    expect((await get('/v1/203.0.113.9', { url, headers: BEARER })).status).toBe(200)
    expect((await get('/v1/203.0.113.9', { url, headers: BEARER.replace('Bearer', 'bearer ') })).status).toBe(200)
  })

  test.each(['Bearer open sesam', 'Bearer open sesame2', 'Bearer', 'Bearer ', 'Basic open sesame', 'open sesame'])(
    'does not show it with %j',
    async (authorization) => {
      const headers = `authorization: ${authorization}\r\n`
      expect((await get('/v1/203.0.113.9', { url: secret.url(), headers })).status).toBe(401)
    },
  )

  test('comes from where it is let in, too, and from this machine as from any other', async () => {
    expect(await raw(both.url(), `GET /v1/203.0.113.9 HTTP/1.1\r\nhost: x\r\n${BEARER}\r\n`)).toBeNull()
    expect((await get('/healthz', { url: both.url() })).status).toBe(200)
    expect((await get('/v1/203.0.113.9', { url: here.url() })).status).toBe(401)
    expect((await get('/v1/203.0.113.9', { url: here.url(), headers: BEARER })).status).toBe(200)
  })
})

test('/healthz and /metrics say how it is, with a question behind them too', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  const { headers, body } = await get('/metrics?x=1')
  expect([headers['content-type'], body.includes('harrier_edge_items 5')]).toEqual([
    'text/plain; version=0.0.4; charset=utf-8',
    true,
  ])
})
