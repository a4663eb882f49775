import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BulkArea, bulkArea, ipLine } from '../../../../../builders/api/bulk-area.ts'

/** What is said of a body that is sent a second and a third time under its key (ADR 273). */
let area: BulkArea
beforeEach(async () => {
  area = await bulkArea()
})
afterEach(() => area?.close())

const KEY = { 'idempotency-key': 'one' }

test('a body has the same answers however often it is sent, and another one is refused as often', async () => {
  const body = `${ipLine(1)}\nno\n\n${ipLine(2)}`
  const first = await area.send(body, KEY)
  expect(first.lines.at(-1)).toEqual({ accepted: 2, rejected: 1 })
  for (let n = 0; n < 3; n++) {
    expect(await area.send(body, KEY)).toMatchObject({ status: 200, text: first.text })
    expect((await area.send(`${body}\n${ipLine(3)}`, KEY)).status).toBe(409)
  }
  expect(area.observations()).toHaveLength(2)
})

test('a body that was cut behind its last line ends the same way, however often it is sent', async () => {
  const body = `${ipLine(1)}\n${ipLine(2)}\n`
  const { request, read } = area.open(KEY)
  request.write(body)
  const before = await read(2)
  request.destroy()
  await expect.poll(async () => (await area.send(body, KEY)).status).toBe(200)
  const again = await area.send(body, KEY)
  expect(again).toMatchObject({ status: 200, lines: [...before, { accepted: 2, rejected: 0 }] })
  expect(area.observations()).toHaveLength(2)
})

test('nothing from the line on that is too many is ever called accepted', async () => {
  const body = `${ipLine(1)}\n${'x\n'.repeat(99_998)}\n${ipLine(2)}\n${ipLine(3)}\n${ipLine(4)}\n`
  const first = await area.send(body, KEY)
  expect(first.lines).toHaveLength(100_001)
  expect(first.lines.at(-2)).toMatchObject({ line: 100_001, id: expect.any(String) })
  expect(first.lines.at(-1)).toMatchObject({ line: 100_002, error: { code: 'too_many_lines' } })
  expect((await area.send(body, KEY)).text).toBe(first.text)
  expect(area.observations()).toHaveLength(2)
}, 60_000)
