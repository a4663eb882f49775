import { expect, test } from 'vitest'
import type { Batch, LogMessage } from '../../../../../../connectors/log/port.ts'
import type { Registry } from '../../../../../../connectors/registry/port.ts'
import { type PreparedBatch, preparer } from '../../../../../../pipelines/jobs/match/events/prepare.ts'
import { seenEvent, valueReader } from '../../../../../../pipelines/processors/match/arrived.ts'
import { firstValue, type Spans } from '../../../../../../pipelines/processors/match/columns/event-columns.ts'
import { seededRandom } from '../../../../../../platform/random.ts'
import { decoder, encoder } from '../../../../../../schemas/log/codec.ts'
import { records } from '../../../../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY } from '../../../../../../schemas/log/topics.ts'
import { FIELD_NAMES, readEventRecord, type TelemetryRecord } from '../../../../../../schemas/match/event.ts'
import { textAt } from '../../../../../builders/history/match-model/columns.ts'

/* What the job reads where it lies is what the long way gives: the decoder, the checks of an event, the reader of values. */

const NOW = Date.UTC(2026, 0, 31)
const encode = encoder<TelemetryRecord>(records.telemetry, 2)
const types = { 2: records.telemetry } as Record<number, typeof records.telemetry>
const registry = { known: (id: number) => types[id], schema: async (id: number) => types[id] } as unknown as Registry
const { signal } = new AbortController()

const batchOf = (values: (Buffer | null)[], offsetOf = (n: number): number => 10 + n): Batch => {
  const messages = values.map((value, n): LogMessage => {
    return { offset: offsetOf(n), timestamp: NOW, key: null, value, headers: {} }
  })
  const range = { topic: ACCEPTED_TELEMETRY, partition: 0, from: 10, to: 10 + values.length, highWatermark: 0 }
  return { ...range, messages, note: '', redelivered: false, signal }
}

const WORDS = [
  'a.example.com',
  'A.example.com.',
  '203.0.113.7',
  '10.0.0.1',
  '2001:DB8::1',
  'x',
  '',
  ' ',
  '\t',
  'ü.example',
]
const ODD = ['\0', 'http://b.example.org/x?y', 'http://203.0.113.9/', 'Joe@Example.com', 'x'.repeat(2_049), '%00', '*']
const DIGESTS = ['d41d8cd98f00b204e9800998ecf8427e', 'D41D8CD98F00B204E9800998ECF8427E', 'zz']
const TEXTS = [...WORDS, ...ODD, ...DIGESTS]

function recordsOf(random: () => number): TelemetryRecord[] {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const seldom = <T>(odd: T, usual: T): T => (random() < 0.05 ? odd : usual)
  return Array.from({ length: 40 }, (_, n) => {
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, () => of(FIELD_NAMES))
    const values = (name: string): string[] =>
      Array.from({ length: name === 'answers' ? Math.floor(random() * 5) : seldom(2, 1) }, () => of(TEXTS))
    const usual = random() < 0.6
    const fields = usual ? { query: [of(WORDS.slice(0, 3))] } : Object.fromEntries(names.map((f) => [f, values(f)]))
    return {
      feed: seldom('feed', ''),
      owner: `customer:${of([1, 2, 3])}`,
      id: seldom(null, seldom('x'.repeat(256), `e${n}`)),
      at: NOW - Math.floor(random() * 1e6) + seldom(3e6, 0) - seldom(1e10, 0),
      kind: of([null, 'dns', seldom('none', 'auth')]),
      host: of([null, '', 'pc1', seldom('Jürgen', 'pc2')]),
      user: of([null, 'ann', seldom('\0', 'joe')]),
      fields: seldom<Record<string, string[]>>({ other: ['x'] }, fields),
      ref: of([null, '', 'C1', seldom('ü', 'C2')]),
    }
  })
}

/** Some of the bytes as somebody might have them by mistake, or with intent. */
function spoilt(random: () => number, value: Buffer): Buffer {
  if (random() < 0.7) return value
  const bytes = Buffer.from(value)
  const at = Math.floor(random() * bytes.length)
  if (random() < 0.3) return bytes.subarray(0, at)
  if (random() < 0.3) return Buffer.concat([bytes, Buffer.of(0)])
  bytes[at] = Math.floor(random() * 256)
  return bytes
}

type Read = { offset: number; event: object; values: string[] }

function theLongWay({ messages }: Batch): { dead: string[]; events: Read[] } {
  const decode = decoder<TelemetryRecord>(records.telemetry, registry.known)
  const read = valueReader()
  const found = { dead: [] as string[], events: [] as Read[] }
  for (const { offset, value } of messages) {
    const decoded = decode(value!)
    const event = decoded.ok ? readEventRecord(decoded.record, NOW, 90) : null
    if (!decoded.ok) found.dead.push(`${offset} ${decoded.reason}`)
    else if (!event!.ok) found.dead.push(`${offset} ${event!.param} ${event!.message}`)
    else {
      const { id, at, host, ref } = seenEvent(event!.event)
      const { feed, owner } = decoded.record
      const values = read(decoded.record.fields).map((one) => `${one.field} ${one.value} ${one.anchor} ${one.key}`)
      found.events.push({ offset, event: { feed, owner, id, at, host, ref }, values })
    }
  }
  return found
}

function readBy({ batch, columns, sources, dead }: PreparedBatch): { dead: string[]; events: Read[] } {
  const { values } = columns
  const text = (event: number, { from, to }: Spans): string | null =>
    to[event] === 0 ? null : columns.records[event]!.toString('utf8', from[event], to[event])
  const valuesOf = (event: number): string[] => {
    const found: string[] = []
    for (let n = firstValue(columns, event); n < columns.valueEnds[event]!; n++) {
      const texts = [values.values(), values.anchors(), values.keys()].map((one) => textAt(one, columns.numbers[n]!))
      found.push(`${FIELD_NAMES[columns.fields[n]!]} ${texts.join(' ')}`)
    }
    return found
  }
  const events = Array.from({ length: columns.size }, (_, n): Read => {
    const { feed, owner } = sources[columns.source[n]!]!
    const [id, host, ref] = [columns.id, columns.host, columns.ref].map((one) => text(n, one))
    const { offset } = batch.messages[columns.message[n]!]!
    return { offset, event: { feed, owner, id, at: columns.at[n], host, ref }, values: valuesOf(n) }
  })
  return { dead: dead.map(({ message, reason }) => `${message.offset} ${reason}`), events }
}

test('whatever records say, events, values and reasons are those of the long way', async () => {
  const prepare = preparer({ registry })
  const sum = { dead: 0, events: 0 }
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededRandom(seed)
    const batch = batchOf(recordsOf(random).map((record) => spoilt(random, encode(record))))
    const found = readBy(await prepare(batch))
    expect(found, `seed ${seed}`).toEqual(theLongWay(batch))
    sum.dead += found.dead.length
    sum.events += found.events.length
  }
  expect(Math.min(sum.dead, sum.events)).toBeGreaterThan(1_000)
})

test('a record without a value is dead, and each record has its source, whatever offsets are missing', async () => {
  const event = {
    feed: '',
    id: 'e',
    at: NOW,
    kind: null,
    host: null,
    user: null,
    ref: null,
    fields: { query: ['a.b'] },
  }
  const values = ['a', 'b', 'a'].map((owner) => encode({ ...event, owner }))
  const refused = encode({ ...event, owner: 'c', fields: {} })
  const batch = batchOf([values[0]!, null, values[1]!, refused, values[2]!], (n) => 10 + n * n)
  const prepared = await preparer({ registry })(batch)
  expect(prepared.dead.map(({ message, reason }) => [message.offset, reason])).toEqual([
    [11, 'a tombstone is not allowed in this topic'],
    [19, 'fields must have at least one value'],
  ])
  expect(batch.messages.map(prepared.sourceOf)).toEqual(['a', expect.anything(), 'b', 'c', 'a'])
})
