import { expect, test } from 'vitest'
import type { LogMessage } from '../../../../connectors/log/port.ts'
import { waitingRecords } from '../../../../pipelines/rebuild/waiting.ts'

const record = (offset: number, size = 200): LogMessage => ({
  offset,
  timestamp: 1_700_000_000_000 + offset,
  headers: {},
  key: Buffer.from(`domain-${offset}`),
  value: Buffer.alloc(size, offset % 256),
})

test('a record comes back as it was, once', () => {
  const waiting = waitingRecords(8)
  expect(waiting.take(3)).toBe(null)
  expect(waiting.put(3, record(2 ** 40, 0))).toBe(true)
  expect(waiting.put(4, record(7))).toBe(true)
  expect(waiting.take(3)).toEqual(record(2 ** 40, 0))
  expect(waiting.take(3)).toBe(null)
  expect(waiting.take(4)).toEqual(record(7))
})

test('many wait at once, and each is found again', () => {
  const places = 60_000
  const waiting = waitingRecords(places)
  for (let place = 0; place < places; place++) expect(waiting.put(place, record(place, 150 + (place % 700)))).toBe(true)
  for (let place = places - 1; place >= 0; place -= 7)
    expect(waiting.take(place)).toEqual(record(place, 150 + (place % 700)))
})

test('what is long, or has no value, or is one too many does not wait', () => {
  const waiting = waitingRecords(20_000, 8 * 1024 * 1024)
  expect(waiting.put(0, record(1, 1024))).toBe(false)
  expect(waiting.put(0, { ...record(1), value: null })).toBe(false)
  expect(waiting.put(0, { ...record(1), key: null })).toBe(false)
  expect(waiting.take(0)).toBe(null)
  let taken = 0
  while (waiting.put(taken, record(taken, 900))) taken++
  expect(taken).toBeGreaterThan(8_000)
  expect(taken).toBeLessThan(10_000)
  expect(waiting.take(0)).toEqual(record(0, 900))
})
