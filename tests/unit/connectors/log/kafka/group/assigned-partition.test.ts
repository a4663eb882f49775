import { describe, expect, test } from 'vitest'
import {
  type AssignedPartition,
  advance,
  bufferMessages,
  nextRange,
  readIntent,
  writeIntent,
} from '../../../../../../connectors/log/kafka/group/assigned-partition.ts'

const BOUNDS = { maxRecords: 3, maxBytes: 100 }
const message = (offset: number, bytes = 1) => ({
  offset,
  timestamp: 0,
  key: null,
  value: Buffer.alloc(bytes),
  headers: {},
})
const lane = (with_: Partial<AssignedPartition> = {}): AssignedPartition => ({
  topic: 't',
  partition: 0,
  position: null,
  begun: null,
  inherited: false,
  buffer: [],
  fetched: 0,
  abort: new AbortController(),
  idle: Promise.resolve(),
  ...with_,
})

describe('the next range', () => {
  const cases = [
    { name: 'nothing fetched, nothing to hand out', lane: lane(), want: null },
    {
      name: 'all that was fetched, the gap at its end included',
      lane: lane({ buffer: [message(0), message(1)], fetched: 5 }),
      want: { from: 0, to: 5, count: 2 },
    },
    {
      name: 'as many records as allowed',
      lane: lane({ buffer: [0, 1, 2, 3].map((o) => message(o)), fetched: 4 }),
      want: { from: 0, to: 3, count: 3 },
    },
    {
      name: 'as many bytes as allowed',
      lane: lane({ buffer: [message(0, 60), message(1, 60)], fetched: 2 }),
      want: { from: 0, to: 1, count: 1 },
    },
    {
      name: 'one record, however large',
      lane: lane({ buffer: [message(0, 1000)], fetched: 1 }),
      want: { from: 0, to: 1, count: 1 },
    },
    {
      name: 'from the position, when the first record stands behind it',
      lane: lane({ position: 4, buffer: [message(7)], fetched: 8 }),
      want: { from: 4, to: 8, count: 1 },
    },
    {
      name: 'a begun range waits until all of it was fetched',
      lane: lane({ position: 0, begun: { to: 9, note: 'n' }, buffer: [message(0)], fetched: 8 }),
      want: null,
    },
    {
      name: 'a begun range comes whole, over every bound, and nothing behind it',
      lane: lane({
        position: 0,
        begun: { to: 5, note: 'n' },
        inherited: true,
        buffer: [0, 1, 2, 3, 4, 5].map((o) => message(o, 60)),
        fetched: 6,
      }),
      want: { from: 0, to: 5, count: 5 },
    },
  ]
  for (const { name, lane, want } of cases)
    test(name, () => {
      const range = nextRange(lane, BOUNDS)
      expect(range && { from: range.from, to: range.to, count: range.messages.length }).toEqual(want)
      expect(range?.redelivered ?? lane.inherited).toBe(lane.inherited)
    })
})

test('records that come a second time are taken in once', () => {
  const l = lane()
  bufferMessages(l, [message(0), message(1)], 2)
  bufferMessages(l, [message(1), message(2)], 3)
  expect(l.buffer.map(({ offset }) => offset)).toEqual([0, 1, 2])
})

test('after a commit the lane goes on behind the range', () => {
  const l = lane({ begun: { to: 2, note: 'n' }, inherited: true, buffer: [message(0), message(2)], fetched: 3 })
  advance(l, 2)
  expect(l).toMatchObject({ position: 2, begun: null, inherited: false, buffer: [{ offset: 2 }] })
})

describe('the text beside the offset', () => {
  test('gives back the range that was begun', () => {
    expect(readIntent(writeIntent({ to: 12, note: 'größe "x"' }))).toEqual({ to: 12, note: 'größe "x"' })
  })
  for (const foreign of [null, '', 'text of another program', '{"begun":{"to":"x","note":""}}', '[]', 'null'])
    test(`${JSON.stringify(foreign)} is no range`, () => expect(readIntent(foreign)).toBeNull())
  test('a note that unfolds beyond what a broker keeps is refused', () => {
    expect(() => writeIntent({ to: 1, note: '\u0001'.repeat(1000) })).toThrow('4096')
    expect(() => writeIntent({ to: 1, note: 'x'.repeat(2049) })).toThrow('2048')
  })
})
