import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect } from 'vitest'
import type { EventLog, LogMessage } from '../../../../connectors/log/port.ts'
import { numbered, type OpenLog, promises, text, topicOn, unique } from '../suite.ts'

/** The promises of the port about topics, records and offsets. */
export function recordsContract(name: string, open: OpenLog, unkept = new Set<string>()): void {
  const test = promises(unkept)
  describe(`${name}: records`, () => {
    const opened = open()
    afterAll(async () => (await opened).close())

    test('processes that start at once declare the same topics, and each can use them at once', async () => {
      const logs = await Promise.all(Array.from({ length: 6 }, () => open()))
      const specs = Array.from({ length: 20 }, () => ({
        name: unique('declared'),
        partitions: 6,
        cleanup: 'delete' as const,
        retentionMs: null,
      }))
      const use = async (log: EventLog): Promise<void> => {
        await log.createTopics(specs)
        expect(await log.topicNames()).toEqual(expect.arrayContaining(specs.map(({ name }) => name)))
        for (const { name } of specs) {
          expect(await log.offsets(name)).toHaveLength(6)
          expect((await log.committed(unique('group'), name)).filter(({ offset }) => offset !== null)).toEqual([])
        }
      }
      const ends = await Promise.allSettled(logs.map(use))
      await Promise.all(logs.map((log) => log.close()))
      expect(ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))).toEqual([])
    })

    test('what was sent is there, in order, with key, value, headers and time', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const headers = { reason: 'ünïcode', offset: '12' }
      await log.send([
        { topic, messages: [{ key: 'k', value: Buffer.from([0, 255]), headers, timestamp: 1_700_000_000_000 }] },
      ])
      await log.send([{ topic, messages: [{ key: null, value: Buffer.from('second') }] }])
      const [first, second, ...rest] = await log.read(topic, 0, 0, 10, 10)
      expect(first).toEqual({
        offset: 0,
        timestamp: 1_700_000_000_000,
        key: Buffer.from('k'),
        value: Buffer.from([0, 255]),
        headers,
      })
      expect(second).toMatchObject({ offset: 1, key: null, value: Buffer.from('second'), headers: {} })
      expect(Math.abs((second?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000)
      expect(rest).toEqual([])
    })

    test('a send is visible to another opener once it is acknowledged', async () => {
      const log = await opened
      const topic = await topicOn(log)
      await log.send([{ topic, messages: numbered(50) }])
      const other = await open()
      const high = (await other.offsets(topic)).reduce((sum, partition) => sum + partition.high, 0)
      await other.close()
      expect(high).toBe(50)
    })

    test('the records of a key stay in order in one partition', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 4 })
      await Promise.all([
        log.send([{ topic, messages: numbered(100) }]),
        log.send([{ topic, messages: numbered(100, (i) => `other-${i % 3}`) }]),
      ])
      const homes = new Map<string, number>()
      const last = new Map<string, number>()
      for (const { partition, high } of await log.offsets(topic))
        for (const { key, value } of await log.read(topic, partition, 0, high, 1000)) {
          expect(homes.get(text(key)) ?? partition).toBe(partition)
          expect(Number(text(value))).toBeGreaterThan(last.get(text(key)) ?? -1)
          homes.set(text(key), partition)
          last.set(text(key), Number(text(value)))
        }
      expect(homes.size).toBe(10)
    })

    test('a partition that is asked for is the one that is used', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 3 })
      await log.send([
        {
          topic,
          messages: [
            { key: 'k', value: null, partition: 2 },
            { key: 'k', value: null, partition: 1 },
          ],
        },
      ])
      expect((await log.offsets(topic)).map(({ high }) => high)).toEqual([0, 1, 1])
    })

    test('offsets of an empty topic are zero', async () => {
      const log = await opened
      const topic = await topicOn(log)
      expect(await log.offsets(topic)).toEqual([
        { partition: 0, low: 0, high: 0 },
        { partition: 1, low: 0, high: 0 },
      ])
    })

    test('read keeps to its range and its count', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      await log.send([{ topic, messages: numbered(50) }])
      const values = async (from: number, to: number, max: number) =>
        (await log.read(topic, 0, from, to, max)).map(({ value }) => Number(text(value)))
      expect(await values(10, 13, 100)).toEqual([10, 11, 12])
      expect(await values(10, 50, 2)).toEqual([10, 11])
      expect(await values(48, 1000, 100)).toEqual([48, 49])
      expect(await values(50, 60, 100)).toEqual([])
      expect(await values(5, 5, 100)).toEqual([])
    })

    test('a scan gives every record of its range, in order and in portions', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 3 })
      // Which no codec makes shorter: more than brokers give at once.
      const many = numbered(9_000).map((message) => ({ ...message, value: randomBytes(300), partition: 1 }))
      await log.send([{ topic, messages: many.slice(0, 5_000) }])
      for (let i = 5_000; i < 9_000; i += 1_000) await log.send([{ topic, messages: many.slice(i, i + 1_000) }])
      await log.send([{ topic, messages: [{ key: 'other', value: Buffer.from('other'), partition: 2 }] }])
      const values = async (partition: number, from: number, to: number) => {
        const portions: LogMessage[][] = []
        for await (const portion of log.scan(topic, partition, from, to)) {
          expect(portion.length).toBeGreaterThan(0)
          portions.push(portion)
        }
        return { portions: portions.length, values: portions.flat().map(({ value }) => value) }
      }
      const whole = await values(1, 0, 100_000)
      expect(whole.values).toEqual(many.map(({ value }) => value))
      expect(whole.portions).toBeGreaterThan(1)
      expect((await values(1, 4_990, 5_003)).values).toEqual(many.slice(4_990, 5_003).map(({ value }) => value))
      expect((await values(1, 9_000, 9_100)).values).toEqual([])
      expect((await values(0, 0, 10)).values).toEqual([])
      await expect(values(3, 0, 10)).rejects.toThrow(/partition 3/)
    })

    test('a scan of large records holds few of them at a time', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const large = Array.from({ length: 40 }, (_, i) => ({ key: `k${i}`, value: randomBytes(900_000) }))
      for (const message of large) await log.send([{ topic, messages: [message] }])
      const seen: (Buffer | null)[] = []
      for await (const portion of log.scan(topic, 0, 0, 40)) {
        expect(portion.reduce((sum, { value }) => sum + value!.length, 0)).toBeLessThan(11 * 1024 * 1024)
        for (const { value } of portion) seen.push(value)
      }
      expect(seen.map((value) => value?.length)).toEqual(large.map(({ value }) => value.length))
      for (const [i, { value }] of large.entries()) expect(value.equals(seen[i]!)).toBe(true)
    })

    test('a scan that nobody goes on with ends, and one that is slow misses nothing', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const many = numbered(8_000)
      for (let i = 0; i < 8_000; i += 1_000) await log.send([{ topic, messages: many.slice(i, i + 1_000) }])
      for await (const portion of log.scan(topic, 0, 0, 8_000)) {
        expect(portion[0]?.offset).toBe(0)
        break
      }
      const seen: number[] = []
      for await (const portion of log.scan(topic, 0, 0, 8_000)) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        for (const { offset } of portion) seen.push(offset)
      }
      expect(seen).toEqual(many.map((_, offset) => offset))
    })

    test('an offset is found by time', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const at = (hour: number) => 1_700_000_000_000 + hour * 3_600_000
      for (let hour = 0; hour < 10; hour++)
        await log.send([
          {
            topic,
            messages: [
              { key: 'a', value: Buffer.from('v'), timestamp: at(hour) },
              { key: 'b', value: Buffer.from('v'), timestamp: at(hour) },
            ],
          },
        ])
      const offset = async (time: number) => (await log.offsetsAt(topic, time))[0]?.offset
      expect(await offset(0)).toBe(0)
      expect(await offset(at(3))).toBe(6)
      expect(await offset(at(3) + 1)).toBe(8)
      expect(await offset(at(9))).toBe(18)
      expect(await offset(at(9) + 1)).toBe(20)
    })

    test('a tombstone comes back as null', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1, cleanup: 'compact' })
      await log.send([
        {
          topic,
          messages: [
            { key: 'k', value: Buffer.from('v') },
            { key: 'k', value: null },
          ],
        },
      ])
      expect((await log.read(topic, 0, 1, 2, 1)).map(({ value }) => value)).toEqual([null])
    })

    test('a dead letter keeps the original bytes and its headers', async () => {
      const log = await opened
      const topic = await topicOn(log, { name: `${unique('topic')}.dead`, partitions: 1 })
      const value = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
      const headers = {
        topic: 'entity.submissions',
        partition: '3',
        offset: '17',
        reason: 'wrong magic byte 9',
        attempts: '1',
      }
      await log.send([{ topic, messages: [{ key: Buffer.from([0xff, 0]), value, headers }] }])
      const [message] = await log.read(topic, 0, 0, 1, 1)
      expect(message).toMatchObject({ key: Buffer.from([0xff, 0]), value, headers })
    })

    test('topics may be declared again, but not with other partitions', async () => {
      const log = await opened
      const name = await topicOn(log)
      await topicOn(log, { name })
      await expect(topicOn(log, { name, partitions: 5 })).rejects.toThrow(name)
    })

    test('an unknown topic is named', async () => {
      const log = await opened
      const name = unique('nowhere')
      await expect(log.send([{ topic: name, messages: numbered(1) }])).rejects.toThrow(name)
      await expect(log.offsets(name)).rejects.toThrow(name)
    })

    test('a send to several topics reaches each of them, an empty one nothing', async () => {
      const log = await opened
      const [one, two] = [await topicOn(log, { partitions: 1 }), await topicOn(log, { partitions: 1 })]
      await log.send([
        { topic: one, messages: numbered(3) },
        { topic: two, messages: [] },
        { topic: two, messages: numbered(2) },
      ])
      await log.send([])
      expect([(await log.offsets(one))[0]?.high, (await log.offsets(two))[0]?.high]).toEqual([3, 2])
    })

    test('a log that answers can be pinged', async () => {
      await (await opened).ping()
    })
  })
}
