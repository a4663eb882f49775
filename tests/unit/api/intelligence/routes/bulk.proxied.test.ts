import { afterEach, beforeEach, expect, test } from 'vitest'
import { BULK, type BulkArea, bulkArea, ipLine, ndjson, openRequest } from '../../../../builders/api/bulk-area.ts'

/** An API behind a proxy, which passes nothing more of a body on once its answer has begun, as nginx does. */
let area: BulkArea
beforeEach(async () => {
  area = await bulkArea({}, { trustedProxies: 1 })
})
afterEach(() => area?.close())

const FORWARDED = { 'x-forwarded-for': '192.0.2.7' }
const stored = (count: number) => expect.poll(() => area.observations().length, { interval: 5 }).toBe(count)

test('a bulk report that comes through a proxy is answered when its body has ended', async () => {
  const sent = openRequest(area.url, FORWARDED)
  let answered = false
  sent.request.once('response', () => {
    answered = true
  })
  sent.request.write(`${ipLine(1)}\n`)
  await stored(1)
  sent.request.write(`no\n${ipLine(2)}\n`)
  await stored(2)
  expect(answered).toBe(false)
  sent.request.end()
  expect(await sent.read(4)).toEqual([
    { line: 1, id: expect.any(String) },
    { line: 2, error: expect.objectContaining({ code: 'malformed_json' }) },
    { line: 3, id: expect.any(String) },
    { accepted: 2, rejected: 1 },
  ])
})

test('one that comes without a proxy is answered while its body is sent', async () => {
  const sent = openRequest(area.url, {})
  sent.request.write(`${ipLine(1)}\n`)
  expect(await sent.read(1)).toEqual([{ line: 1, id: expect.any(String) }])
  sent.request.end()
})

test('a client behind a proxy that goes away leaves its key to the next attempt, which adds nothing', async () => {
  const key = { ...FORWARDED, 'idempotency-key': 'one' }
  const cut = openRequest(area.url, key)
  cut.request.on('error', () => undefined)
  cut.request.write(`${ipLine(1)}\n`)
  await stored(1)
  cut.request.destroy()
  const again = () =>
    fetch(area.url + BULK, { method: 'POST', headers: { ...ndjson, ...key }, body: `${ipLine(1)}\n${ipLine(2)}\n` })
  await expect.poll(async () => (await again()).status, { interval: 20 }).toBe(200)
  expect((await (await again()).text()).trim().split('\n').at(-1)).toBe('{"accepted":2,"rejected":0}')
  expect(area.observations()).toHaveLength(2)
})
