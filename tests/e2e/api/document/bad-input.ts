import { beforeAll, describe, expect, test } from 'vitest'
import { bodies, submissions } from '../../../builders/api/bodies/bad.ts'
import { post, raw, refusalOf } from '../../../builders/network/raw-http.ts'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What no client should send, over real sockets: refused in the declared form, and nothing behind it stumbles. */
export function badInput(shared: Shared): void {
  const { platform } = shared
  /** How much was printed before. */
  let printed: number

  beforeAll(async () => {
    printed = platform.output().length
  })

  const ENTITY = '/api/ingest/v1/entity'
  const SEARCH = '/api/search/v1/entities/history/simple'
  const WELL_KNOWN = '/api/ingest/v1/well-known'
  const USERS = '/auth/v2/admin/user'

  const send = (path: string, body: string | Buffer) => raw(platform.url, post(path, body, ADMINISTRATOR))

  describe.each([ENTITY, WELL_KNOWN, SEARCH, USERS])('POST %s', (path) => {
    test.each(bodies)('refuses $name with $status', async ({ body, status }) => {
      const answer = await send(path, body)
      expect(answer?.status).toBe(status)
      refusalOf(answer!)
    })
  })

  test.each(submissions)('a submission with $name is refused', async ({ body, status = 400 }) => {
    const answer = await send(ENTITY, body)
    expect(answer?.status).toBe(status)
    refusalOf(answer!)
  })

  describe('a body that is not what its head says', () => {
    const head = (rest: string): string =>
      `POST ${ENTITY} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${rest}`
    const keys = Object.entries(ADMINISTRATOR)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')

    test('breaks off: no answer but a refusal', async () => {
      const answer = await raw(platform.url, head(`${keys}content-length: 1000\r\n\r\n{"type":`), { end: true })
      if (answer !== null) {
        expect(answer.status).toBe(400)
        refusalOf(answer)
      }
    })

    test('is compressed, of another type or without one: 415', async () => {
      for (const header of ['content-encoding: gzip', 'content-type: text/plain', 'content-type: application/xml']) {
        const base = header.startsWith('content-type') ? `POST ${ENTITY} HTTP/1.1\r\nhost: localhost\r\n` : head('')
        const answer = await raw(platform.url, `${base}${keys}${header}\r\ncontent-length: 2\r\n\r\n{}`)
        expect([header, answer?.status]).toEqual([header, 415])
        refusalOf(answer!)
      }
    })

    test('is over the limit in chunks, without a length: 413', async () => {
      const chunk = `10000\r\n${'['.repeat(0x10000)}\r\n`
      const answer = await raw(
        platform.url,
        `${head(`${keys}transfer-encoding: chunked\r\n\r\n`)}${chunk.repeat(20)}0\r\n\r\n`,
      )
      expect(answer?.status).toBe(413)
      refusalOf(answer!)
    })

    test.each([
      ['two lengths', head('content-length: 2\r\ncontent-length: 3\r\n\r\n{}')],
      ['a length and chunks', head('content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')],
      ['a negative length', head('content-length: -1\r\n\r\n')],
      ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
      ['a bare line feed in the head', 'GET /livez HTTP/1.1\nhost: localhost\nx\0y: 1\n\n'],
      ['a head of 100 KB', `GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
    ])('%s: refused as 4xx', async (_, bytes) => {
      const answer = await raw(platform.url, bytes)
      expect(answer!.status).toBeGreaterThanOrEqual(400)
      expect(answer!.status).toBeLessThan(500)
      refusalOf(answer!)
    })
  })

  test.each([
    '/api/analytics/v1/overview?days=1e400',
    '/api/analytics/v1/overview?days=%00',
    '/api/analytics/v1/overview?days=%ff%fe',
    '/api/analytics/v1/overview?days=1&days=2',
    '/api/analytics/v1/overview?__proto__=1',
    '/api/analytics/v1/recent?hours=-0.5',
    '/api/analytics/v1/attribution?size=99999999999999999999',
    '/api/analytics/v1/sources?sort=constructor',
    '/auth/v2/admin/user/%00',
    '/auth/v2/admin/user/%ff',
    '/%',
    '/api/../../etc/passwd',
    '//',
  ])('GET %s is refused as 4xx', async (path) => {
    const keys = Object.entries(ADMINISTRATOR).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await raw(platform.url, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${keys.join('')}\r\n`)
    expect(answer!.status).toBeGreaterThanOrEqual(400)
    expect(answer!.status).toBeLessThan(500)
    refusalOf(answer!)
  })

  /** Odd, and allowed: each of them has to pass through the log and the tables and be found again. */
  const odd: { name: string; body: object | string; query: string }[] = [
    { name: 'control characters', body: text('nul \u0000 and bell \u0007 end'), query: 'bell' },
    { name: 'quotes and backslashes', body: text(`it's "q\\uoted' \\0 \\N {{x:String}} --`), query: 'it' },
    { name: 'a text of 65,536 bytes', body: text(`oddlong ${'a'.repeat(65_000)}`), query: 'oddlong' },
    { name: 'emoji and marks', body: text('oddemoji \u{1f4a5}\u200d\u{1f525} e\u0301'), query: 'oddemoji' },
    { name: 'the largest AS number', body: attributes({ asn: '9007199254740993' }), query: '9007199254740993' },
    {
      name: 'a duplicate key: the last counts',
      body: '{"type":"malware","attributes":{"malware":"oddone","malware":"oddtwo"}}',
      query: 'oddtwo',
    },
    { name: 'the date at the end of time', body: attributes({ date: '9999-12-31' }), query: '9999-12-31' },
  ]

  function attributes(more: Record<string, string>): object {
    return { type: 'ip', attributes: { ip: '192.0.2.77', ...more }, reputation: -1 }
  }
  function text(value: string): object {
    return attributes({ text: value })
  }

  describe('what is odd but allowed', () => {
    test.each(odd)('$name: accepted and found', async ({ body, query }) => {
      const answer = await send(ENTITY, typeof body === 'string' ? body : JSON.stringify(body))
      expect([answer?.status, answer?.body]).toEqual([202, expect.stringContaining('acknowledged')])
      await eventually(
        async () => (await platform.ask(SEARCH, { query })).status,
        (status) => status === 200,
      )
    })
  })

  test('after all of it the platform answers, took nothing wrong in and had no failure', async () => {
    expect((await platform.ask('/readyz', undefined, null)).status).toBe(200)
    const metrics = await metricsOf(platform.url)
    const dead = metrics.match(/^harrier_dead_letters\{.*$/gm) ?? []
    expect(dead.map((line) => line.split(' ').at(-1))).toEqual(dead.map(() => '0'))
    expect(dead.length).toBeGreaterThan(0)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(platform.output().slice(printed)).not.toMatch(/"level":[56]0/)
  })

  test('metrics are for administrators beside the API, and for those inside on a port of their own', async () => {
    expect((await platform.ask('/metrics', undefined, null)).status).toBe(401)
    const [, shown] = /Metrics\s+(http\S+)/.exec(platform.output())!
    expect(new URL(shown!).port).not.toBe(new URL(platform.url).port)
    const inside = await (await fetch(shown!)).text()
    // Of the API and of the jobs, which are a child with no port.
    for (const name of [
      'harrier_http_request_duration_seconds_count',
      'harrier_job_records_total',
      'harrier_component_ready',
    ])
      expect(inside).toContain(name)
  })

  test('after SIGTERM it is not ready at once, resets nothing that comes within a moment, and ends with 0 within 10 s', async () => {
    const began = performance.now()
    const code = platform.stop()
    const readiness = () => raw(platform.url, 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await eventually(readiness, (answer) => answer?.status === 503, 900)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send(SEARCH, JSON.stringify({ query: 'nothing.example' }))),
    )
    expect(answers.map((answer) => answer && [answer.status, answer.headers.connection])).toEqual(
      Array(30).fill([404, 'close']),
    )
    expect(await code).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(platform.output().slice(printed)).not.toMatch(/"level":[56]0(?!.*"code":"unavailable")/)
  })
}
