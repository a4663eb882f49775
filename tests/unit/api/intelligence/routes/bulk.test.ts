import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BULK_LEASE_MS } from '../../../../../connectors/postgres/intelligence/port.ts'
import { asAdmin } from '../../../../builders/api/api.ts'
import { BULK, type BulkArea, bulkArea, ipLine, ndjson } from '../../../../builders/api/bulk-area.ts'

let area: BulkArea
beforeEach(async () => {
  area = await bulkArea()
})
afterEach(() => area?.close())

const body = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `${ipLine(from + i)}\n`).join('')
const last = (lines: readonly object[]) => lines.at(-1)

test('each line is answered in order with the id of its entity, and the last line counts', async () => {
  const { status, lines, headers } = await area.send(`${ipLine(1)}\n\n  \r\n${ipLine(2)}\nno\n${ipLine(3)}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/x-ndjson')
  expect(lines).toEqual([
    { line: 1, id: expect.stringMatching(/^ip-[0-9a-f]{64}$/) },
    { line: 4, id: expect.stringMatching(/^ip-/) },
    { line: 5, error: { code: 'malformed_json', message: 'the body is not valid JSON' } },
    { line: 6, id: expect.stringMatching(/^ip-/) },
    { accepted: 3, rejected: 1 },
  ])
  expect(area.observations()).toHaveLength(3)
})

test('a body with a key has the same ids again and adds nothing', async () => {
  const key = { 'idempotency-key': 'one' }
  const first = await area.send(body(10_000), key)
  expect(last(first.lines)).toEqual({ accepted: 10_000, rejected: 0 })
  const again = await area.send(body(10_000), key)
  expect(again.text).toBe(first.text)
  expect(area.observations()).toHaveLength(10_000)
  expect(new Set(area.observations().map(({ id }) => id)).size).toBe(10_000)
  const other = await area.send(body(9_999) + ipLine(20_000), key)
  expect(other).toMatchObject({ status: 409, lines: [{ error: { code: 'idempotency_mismatch' } }] })
  const longer = await area.send(body(10_001), key)
  expect(longer.status).toBe(409)
  const shorter = await area.send(body(9_000), key)
  expect(shorter.status).toBe(409)
})

const MIB = 1024 * 1024
const ids = () => new Set(area.observations().map(({ id }) => id))
const post = (body: string | undefined, headers: Record<string, string>) =>
  fetch(area.url + BULK, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })

test('a line is refused as a single report with this body would be, and refuses itself alone', async () => {
  const bad = [
    '',
    'no',
    '"text"',
    '[]',
    '{"type":"ip"}',
    ipLine(1, { reputation: 4 }),
    ipLine(1, { reputation: 1.5 }),
    ipLine(1, { more: 1 }),
    ipLine(1, { tags: 'a' }),
    ipLine(1, { visibleBy: ['blue'] }),
    ipLine(1, { visibleBy: [] }),
    ipLine(1, { correlate: ['domain'] }),
    '{"type":"ip","type":"domain","attributes":{"domain":"example.com"}}',
    '{"type":"nothing","attributes":{}}',
    '{"type":"ip","attributes":{"ip":"127.0.0.1"}}',
    '{"type":"ip","attributes":{"ip":"1e400"},"reputation":1e400}',
    `${'['.repeat(40)}${']'.repeat(40)}`,
    '{"type":"ip","attributes":{"ip":"\\ud800"}}',
  ].slice(1)
  const { lines } = await area.send(bad.join('\n'))
  let accepted = 0
  for (const [at, line] of bad.entries()) {
    const single = await fetch(`${area.url}/api/ingest/v1/entity`, {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: line,
    })
    const answer = (await single.json()) as { id: string; error: { code: string; message: string; param?: string } }
    if (single.status === 202) {
      accepted++
      expect(lines[at]).toEqual({ line: at + 1, id: answer.id })
    } else {
      const { code, message, param } = answer.error
      expect(lines[at]).toEqual({ line: at + 1, error: { code, message, ...(param === undefined ? {} : { param }) } })
    }
  }
  expect(last(lines)).toEqual({ accepted, rejected: bad.length - accepted })
})

test('invalid UTF-8 and a line that is too long refuse themselves; the longest line is taken', async () => {
  const long = ipLine(1).padEnd(MIB, ' ')
  const body = Buffer.concat([Buffer.from(`${long}\n${long} \n`), Buffer.from([0xff, 0x0a]), Buffer.from(ipLine(2))])
  const { lines } = await area.send(body)
  expect(lines).toEqual([
    { line: 1, id: expect.stringMatching(/^ip-/) },
    { line: 2, error: { code: 'body_too_large', message: 'the body is too large' } },
    { line: 3, error: { code: 'malformed_json', message: 'the body is not valid UTF-8' } },
    { line: 4, id: expect.stringMatching(/^ip-/) },
    { accepted: 2, rejected: 2 },
  ])
})

test('bounds that are met on the way are one error line, and then the end', async () => {
  const many = await area.send(`\n${'x\n'.repeat(100_000)}${ipLine(1)}\n${ipLine(2)}`)
  expect(many.lines).toHaveLength(100_001)
  expect(last(many.lines)).toEqual({
    line: 100_002,
    error: { code: 'too_many_lines', message: 'the body has more than 100000 lines' },
  })
  expect(area.observations()).toHaveLength(0)
})

test('a body that goes on past 64 MiB ends with too_large; one that declares it is refused at once', async () => {
  const { request, read } = area.open()
  request.write(`${ipLine(1)}\n`)
  const blank = Buffer.alloc(MIB, ' ')
  for (let i = 0; i < 65; i++)
    if (!request.write(blank)) await new Promise<void>((resolve) => request.once('drain', resolve))
  request.end()
  const lines = await read(9)
  expect(lines).toEqual([
    { line: 1, id: expect.stringMatching(/^ip-/) },
    { line: 2, error: { code: 'too_large', message: 'the body is too large' } },
  ])
  const declared = area.open({ 'content-length': String(64 * MIB + 1) })
  declared.request.flushHeaders()
  expect((await declared.answer).statusCode).toBe(413)
  declared.request.destroy()
}, 60_000)

test('a client reads verdicts while it sends', async () => {
  const { request, answer, read } = area.open()
  for (let n = 1; n <= 3; n++) {
    request.write(`${ipLine(n)}\n${ipLine(100 + n).slice(0, 10)}`)
    expect(await read(2 * n - 1)).toHaveLength(2 * n - 1)
    expect(area.observations()).toHaveLength(2 * n - 1)
    request.write(`${ipLine(100 + n).slice(10)}\n`)
    expect(await read(2 * n)).toHaveLength(2 * n)
  }
  request.end()
  expect((await read(7)).at(-1)).toEqual({ accepted: 6, rejected: 0 })
  expect((await answer).statusCode).toBe(200)
})

test('a stream that is cut in the middle of a line took the whole lines; with its key the rest follows, once', async () => {
  const key = { 'idempotency-key': 'cut' }
  const { request, read } = area.open(key)
  request.write(`${body(5_000)}${ipLine(5_000).slice(0, 12)}`)
  const before = await read(5_000)
  request.destroy()
  await expect
    .poll(async () => (await area.send(body(1), key)).lines[0]!.error)
    .not.toMatchObject({ code: 'in_progress' })
  const { lines } = await area.send(body(8_000), key)
  expect(last(lines)).toEqual({ accepted: 8_000, rejected: 0 })
  expect(lines.slice(0, 5_000)).toEqual(before)
  expect(area.observations()).toHaveLength(8_000)
  expect(ids().size).toBe(8_000)
})

test('what a dead process has appended and not noted is found in the log and not appended again', async () => {
  const key = { 'idempotency-key': 'dead' }
  // The append of some records, and then the end of the process: nothing is noted, nothing is given back.
  area.log.failNext(700)
  const failed = await area.send(body(3_000), key)
  expect(failed.lines.at(-1)).toMatchObject({ line: expect.any(Number), error: { code: 'publish_failed' } })
  const noted = area.observations().length
  expect(noted).toBeGreaterThan(0)
  const early = await area.send(body(3_000), key)
  expect(early).toMatchObject({ status: 409, lines: [{ error: { code: 'in_progress' } }] })
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
  area.clock.now += BULK_LEASE_MS
  const { lines } = await area.send(body(3_000), key)
  expect(last(lines)).toEqual({ accepted: 3_000, rejected: 0 })
  expect(area.observations()).toHaveLength(3_000)
  expect(ids().size).toBe(3_000)
})

test('a key is of one request at a time, of one body, and of one caller', async () => {
  const key = { 'idempotency-key': 'k' }
  const { request, read } = area.open(key)
  request.write(`${ipLine(1)}\n`)
  await read(1)
  expect(await area.send(ipLine(1), key)).toMatchObject({ status: 409, lines: [{ error: { code: 'in_progress' } }] })
  request.end(`${ipLine(2)}\n`)
  expect((await read(3)).at(-1)).toEqual({ accepted: 2, rejected: 0 })
  expect(await area.send(`${ipLine(1)}\n${ipLine(3)}\n`, key)).toMatchObject({ status: 409 })
  for (const wrong of ['x'.repeat(256), ''])
    expect(await area.send(ipLine(1), { 'idempotency-key': wrong })).toMatchObject({
      status: 400,
      lines: [{ error: { param: 'idempotency-key' } }],
    })
  expect((await area.send(ipLine(1), { 'idempotency-key': 'x'.repeat(255) })).status).toBe(200)
})

test('who was told everything may send the same again at once', async () => {
  const key = { 'idempotency-key': 'again' }
  const { release } = area.requests
  area.requests.release = async (...of) => {
    await sleep(200)
    await release(...of)
  }
  const first = await area.send(body(3), key)
  const again = await area.send(body(3), key)
  expect([first.status, again.text]).toEqual([200, first.text])
})

test('a client that repeats and waits for answers is answered before its body is whole, and told of another body', async () => {
  const key = { 'idempotency-key': 'slow' }
  await area.send(`${ipLine(1)}\n${ipLine(2)}\n`, key)
  const { request, read } = area.open(key)
  request.write(`${ipLine(1)}\n`)
  expect(await read(1)).toHaveLength(1)
  request.end(`${ipLine(3)}\n`)
  expect(last(await read(2))).toMatchObject({ line: 2, error: { code: 'idempotency_mismatch' } })
  expect(area.observations()).toHaveLength(2)
})

test('a request that is none is refused whole, and consumes nothing', async () => {
  expect((await post(ipLine(1), { 'content-type': 'application/x-ndjson' })).status).toBe(401)
  expect((await post(ipLine(1), { ...asAdmin, 'content-type': 'application/json' })).status).toBe(415)
  expect((await post(ipLine(1), { ...ndjson, 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await post(undefined, ndjson)).status).toBe(400)
})

test('the log fails in the middle: what was durable is answered, the rest is not', async () => {
  const { request, read } = area.open()
  request.write(`${ipLine(1)}\n`)
  expect(await read(1)).toHaveLength(1)
  area.log.failWith(new Error('away'))
  request.end(`${ipLine(2)}\n${ipLine(3)}\n`)
  expect(await read(9)).toEqual([
    { line: 1, id: expect.any(String) },
    { line: 2, error: { code: 'publish_failed', message: 'publish failed' } },
  ])
})
