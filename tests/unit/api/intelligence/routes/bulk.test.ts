import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BulkArea, bulkArea, ipLine } from '../../../../builders/api/bulk-area.ts'

let area: BulkArea
beforeEach(async () => {
  area = await bulkArea()
})
afterEach(() => area?.close())

const body = (count: number, from = 0): string => Array.from({ length: count }, (_, i) => `${ipLine(from + i)}\n`).join('')
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
