import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { frameKey } from '../../../connectors/log/embedded/keys.ts'
import { type EmbeddedLogOptions, embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { openStore } from '../../../connectors/log/embedded/log-store.ts'
import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import { numbered, OPTIONS, stopped, take, text, topicOn, unique, until } from './suite.ts'

/** What only the embedded log promises: that it keeps, drops, compacts and refuses as Kafka's broker would. */
let folder: string
const logs: EventLog[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-log-'))
})
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close()
  rmSync(folder, { recursive: true })
})

async function opened(options: Partial<EmbeddedLogOptions> = {}): Promise<EventLog> {
  const log = await embeddedLog({ folder, ...options })
  logs.push(log)
  return log
}

const HOUR = 3_600_000
const NOW = 1_800_000_000_000

describe('retention', () => {
  test('records past their time go, from the low end, and the others stay', async () => {
    const log = await opened({ now: () => NOW, sweepMs: 20 })
    const topic = await topicOn(log, { partitions: 1, retentionMs: HOUR })
    for (const age of [3, 2, 0.5, 0])
      await log.send([{ topic, messages: numbered(10).map((m) => ({ ...m, timestamp: NOW - age * HOUR })) }])
    await until('the low end moves', async () => (await log.offsets(topic))[0]?.low === 20)
    expect((await log.read(topic, 0, 0, 100, 100)).map(({ offset }) => offset)[0]).toBe(20)
    expect(await log.offsetsAt(topic, NOW - 2 * HOUR)).toEqual([{ partition: 0, offset: 20 }])
    expect((await take(log, unique('group'), topic, 20))[0]?.from).toBe(20)
  })

  test('a begun range is kept until it is finished', async () => {
    let now = NOW
    const log = await opened({ now: () => now, sweepMs: 20 })
    const [topic, group] = [await topicOn(log, { partitions: 1, retentionMs: HOUR }), unique('group')]
    const other = await topicOn(log, { partitions: 1, retentionMs: HOUR })
    for (const name of [topic, other]) await log.send([{ topic: name, messages: numbered(10) }])
    const failing = await log.consume({ ...OPTIONS, group, topics: [topic], intent: () => 'open' }, async () => {
      throw new Error('not yet')
    })
    await expect(failing.closed).rejects.toThrow('not yet')
    now += 2 * HOUR
    await until('the sweep passes', async () => (await log.offsets(other))[0]?.low === 10)
    expect((await log.offsets(topic))[0]?.low).toBe(0)
    const [batch] = await take(log, group, topic, 10)
    expect(batch).toMatchObject({ from: 0, to: 10, redelivered: true })
    await until('it goes then', async () => (await log.offsets(topic))[0]?.low === 10)
  })
})

describe('compaction', () => {
  const contents = async (log: EventLog, topic: string) =>
    (await log.read(topic, 0, 0, 10_000, 10_000)).map(({ offset, key, value }) => [offset, text(key), text(value)])

  test('the last value of every key stays at its offset, and tombstones go after their time', async () => {
    let now = NOW
    const log = await opened({ now: () => now, sweepMs: 20, tombstoneMs: HOUR })
    const topic = await topicOn(log, { partitions: 1, cleanup: 'compact' })
    for (let round = 0; round < 3; round++)
      await log.send([
        { topic, messages: ['a', 'b', 'c'].map((key) => ({ key, value: Buffer.from(`${key}${round}`) })) },
      ])
    await log.send([{ topic, messages: [{ key: 'b', value: null }] }])
    const compacted = [
      [6, 'a', 'a2'],
      [8, 'c', 'c2'],
      [9, 'b', 'null'],
    ]
    await until('it is compacted', async () => (await contents(log, topic)).length === 3)
    expect(await contents(log, topic)).toEqual(compacted)
    now += 2 * HOUR
    await until('the tombstone is gone', async () => (await contents(log, topic)).length === 2)
    expect(await contents(log, topic)).toEqual(compacted.slice(0, 2))
    expect(await log.offsets(topic)).toEqual([{ partition: 0, low: 0, high: 10 }])
  })

  test('a group reads across the gaps', async () => {
    const log = await opened({ now: () => NOW, sweepMs: 20 })
    const topic = await topicOn(log, { partitions: 1, cleanup: 'compact' })
    for (let round = 0; round < 50; round++)
      await log.send([{ topic, messages: [{ key: 'same', value: Buffer.from(String(round)) }] }])
    await until('one record is left', async () => (await contents(log, topic)).length === 1)
    const batches = await take(log, unique('group'), topic, 1)
    expect(batches.map(({ from, to, messages }) => [from, to, messages.length])).toEqual([[0, 50, 1]])
  })

  test('a tail reads across the gaps, also where there is nothing behind one yet', async () => {
    let now = NOW
    const log = await opened({ now: () => now, sweepMs: 20, tombstoneMs: HOUR })
    const topic = await topicOn(log, { partitions: 1, cleanup: 'compact' })
    for (const key of ['a', 'b', 'a', 'b', 'b'])
      await log.send([{ topic, messages: [{ key, value: Buffer.from(key) }] }])
    await log.send([{ topic, messages: [{ key: 'b', value: null }] }])
    now += 2 * HOUR
    await until('the end is gone', async () => (await contents(log, topic)).length === 1)
    const [found, ends]: [number[], number[]] = [[], []]
    const from = [{ partition: 0, offset: 0 }]
    const tail = await log.tail({ topic, from, maxRecords: 10, maxBytes: 1_000 }, ({ messages, to }) => {
      for (const { offset } of messages) found.push(offset)
      ends.push(to)
    })
    await until('what is left', () => found.length === 1)
    await log.send([{ topic, messages: [{ key: 'c', value: Buffer.from('c') }] }])
    await until('what comes behind the gap', () => found.length === 2)
    expect(found).toEqual([2, 6])
    expect(ends.at(-1)).toBe(7)
    await stopped(tail)
  })

  test('a record without a key is refused', async () => {
    const log = await opened()
    const topic = await topicOn(log, { cleanup: 'compact' })
    await expect(log.send([{ topic, messages: numbered(1, () => null) }])).rejects.toThrow(
      `topic ${topic} is compacted`,
    )
  })
})

describe('damage', () => {
  const flip = async (at: (frame: Buffer) => number, name: string) => {
    const store = openStore(folder)
    const key = frameKey(store.topics.get(name)!.id, 0, 9)
    await store.write(() => {
      const frame = Buffer.from(store.frames.get(key)!)
      frame[at(frame)]! ^= 0x10
      void store.frames.put(key, frame)
    })
    await store.close()
  }
  const cases = [
    { name: 'in a value', at: (frame: Buffer) => frame.length - 1 },
    { name: 'in a length', at: () => 56 },
    { name: 'in the base offset', at: () => 14 },
    { name: 'in the count', at: () => 24 },
  ]
  for (const { name, at } of cases)
    test(`a bit that flips ${name} is an error that names topic, partition and offset`, async () => {
      const log = await opened()
      const topic = await topicOn(log, { partitions: 1 })
      await log.send([{ topic, messages: numbered(10) }])
      await flip(at, topic)
      await expect(log.read(topic, 0, 0, 10, 10)).rejects.toThrow(
        `topic ${topic} partition 0: the frame ending at offset 9 is damaged`,
      )
      const consumer = await log.consume({ ...OPTIONS, group: unique('group'), topics: [topic] }, async () => undefined)
      await expect(consumer.closed).rejects.toThrow('damaged')
      const from = [{ partition: 0, offset: 0 }]
      const tail = await log.tail({ topic, from, maxRecords: 10, maxBytes: 1_000 }, () => undefined)
      await expect(tail.closed).rejects.toThrow('damaged')
    })
})

test('a member whose lease ran out cannot commit, and its range comes to the other exactly', async () => {
  const [slow, other] = [await opened({ now: () => NOW }), await opened({ now: () => NOW + HOUR })]
  const [topic, group] = [await topicOn(slow, { partitions: 1 }), unique('group')]
  await slow.send([{ topic, messages: numbered(30) }])
  const gate = Promise.withResolvers<void>()
  const held: Batch[] = []
  const stale = await slow.consume(
    { ...OPTIONS, maxRecords: 10, group, topics: [topic], intent: () => 'slow' },
    async (batch) => {
      held.push(batch)
      await gate.promise
    },
  )
  await until('the first one works', () => held.length === 1)
  const seen: Batch[] = []
  const consumer = await other.consume({ ...OPTIONS, group, topics: [topic], intent: () => 'other' }, async (batch) => {
    seen.push(batch)
  })
  await until('the other has read all', () => seen.at(-1)?.to === 30)
  expect(seen[0]).toMatchObject({ from: 0, to: 10, note: 'slow', redelivered: true })
  gate.resolve()
  await stopped(stale)
  expect(held.length).toBe(1)
  expect(await other.committed(group, topic)).toEqual([{ partition: 0, offset: 30 }])
  await stopped(consumer)
})

test('a record over 2 MiB is refused by its size', async () => {
  const log = await opened()
  const topic = await topicOn(log)
  await expect(log.send([{ topic, messages: [{ key: 'k', value: Buffer.alloc(3 << 20) }] }])).rejects.toThrow(
    'exceeds the limit',
  )
})

test('sends beyond what may wait are held back, not lost', async () => {
  const log = await opened()
  const topic = await topicOn(log, { partitions: 1 })
  const value = Buffer.alloc(1 << 20)
  await Promise.all(Array.from({ length: 100 }, () => log.send([{ topic, messages: [{ key: 'k', value }] }])))
  expect((await log.offsets(topic))[0]?.high).toBe(100)
})

const STORE = new URL('../../../connectors/log/embedded/log-store.ts', import.meta.url).href

const mounted = (at: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', at]).status === 0

test('a full disk refuses the send that no longer fits, shows nothing of it, and takes the next when there is room', async (context) => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  if (!mounted(disk)) return context.skip('mounting a small disk needs root')
  try {
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(4 << 20))
    const log = await embeddedLog({ folder: join(disk, 'log') })
    const topic = await topicOn(log, { partitions: 1 })
    const messages = Array.from({ length: 4 }, () => ({ key: 'k', value: randomBytes(100_000) }))
    let acked = 0
    let refused: unknown
    while (!refused)
      await log.send([{ topic, messages }]).then(
        () => (acked += messages.length),
        (error) => (refused = error),
      )
    expect(String(refused)).toMatch(/log: its disk is full \(31 MiB free, 32 MiB are needed\); free disk space/)
    await log.ping()
    expect((await log.offsets(topic))[0]?.high).toBe(acked)
    expect((await log.read(topic, 0, 0, 1000, 1000)).length).toBe(acked)
    rmSync(ballast)
    await log.send([{ topic, messages }])
    expect((await log.offsets(topic))[0]?.high).toBe(acked + messages.length)
    await log.close()
  } finally {
    spawnSync('umount', [disk])
  }
})

test('what a disk with free space refuses is told, and nothing of it is there', () => {
  const source = `const { openStore } = await import('${STORE}')
    const store = openStore(process.argv[1])
    const put = (key, bytes) => store.write(() => store.frames.put(Buffer.from(key), Buffer.alloc(bytes)))
    await put('fits', 1_000)
    const refused = await put('too large', 4_000_000).catch(({ message }) => message)
    await store.close()
    const again = openStore(process.argv[1])
    console.log(JSON.stringify([refused, [...again.frames.getKeys()].map(String)]))
    process.exit(0)`
  const node = [process.execPath, '--input-type=module', '-e', source, folder]
  // The limit is that of the size of one file, in KiB.
  const { stdout } = spawnSync('bash', ['-c', 'ulimit -f 2048 && exec "$@"', 'bash', ...node], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toEqual([expect.stringContaining(`cannot write ${folder}: Input/output error`), ['fits']])
})

test('a member that died before the clock was set back does not keep its partitions until that time comes again', async () => {
  const [dead, next] = [await opened({ now: () => NOW, leaseMs: 300 }), await opened({ now: () => NOW - HOUR })]
  const [topic, group] = [await topicOn(dead, { partitions: 1 }), unique('group')]
  await dead.send([{ topic, messages: numbered(10) }])
  const never = Promise.withResolvers<void>()
  const begun: Batch[] = []
  const consumer = await dead.consume({ ...OPTIONS, group, topics: [topic], intent: () => 'dead' }, async (batch) => {
    begun.push(batch)
    await never.promise
  })
  await until('a range is begun', () => begun.length === 1)
  const seen: Batch[] = []
  const other = await next.consume({ ...OPTIONS, group, topics: [topic], intent: () => 'next' }, async (batch) => {
    seen.push(batch)
  })
  await until('the next one has read all', () => seen.at(-1)?.to === 10, 5_000)
  expect(seen[0]).toMatchObject({ from: 0, note: 'dead', redelivered: true })
  never.resolve()
  await stopped(consumer)
  await stopped(other)
})

test.each([
  ['within the transaction', 'void store.write(() => process.exit(1))'],
  ['while one waits', 'void store.write(() => 1)\nsetImmediate(() => process.exit(1))'],
  ['by an uncaught error', 'void store.write(() => 1)\nsetImmediate(() => { throw new Error("unforeseen") })'],
])('a process that exits %s ends, and others write', async (_, exits) => {
  const source = `const { openStore } = await import('${STORE}')
    const store = openStore(process.argv[1])
    setInterval(() => undefined, 1000)
    ${exits}`
  const args = ['--input-type=module', '-e', source, folder]
  const { signal } = spawnSync(process.execPath, args, { stdio: 'ignore', timeout: 20_000, killSignal: 'SIGTERM' })
  expect(signal).toBe('SIGKILL')
  const log = await opened()
  const topic = await topicOn(log, { partitions: 1 })
  await log.send([{ topic, messages: numbered(1) }])
  expect((await log.offsets(topic))[0]?.high).toBe(1)
})
