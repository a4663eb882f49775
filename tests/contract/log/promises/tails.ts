import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect } from 'vitest'
import {
  type EventLog,
  OffsetGone,
  type Tail,
  type TailBatch,
  type TailOptions,
} from '../../../../connectors/log/port.ts'
import { numbered, OPTIONS, type OpenLog, promises, stopped, text, topicOn, unique, until } from '../suite.ts'

const BOUNDS = { maxRecords: 100, maxBytes: 1024 * 1024 }
const HOUR = 3_600_000
/** Machines of tests may be very busy. */
const LONG_MS = 60_000

export type TailContract = {
  open: OpenLog
  /** A log that grows old: `dropAll` takes what a topic has, whose records are kept for an hour. */
  ageing: () => Promise<{ log: EventLog; dropAll: (topic: string) => Promise<void>; close: () => Promise<void> }>
  /** Histories of the property. */
  runs: number
}

/** A tail and what it has handed over. */
export async function heard(log: EventLog, options: Partial<TailOptions> & { topic: string }) {
  const batches: TailBatch[] = []
  const tail = await log.tail({ from: [], ...BOUNDS, ...options }, async (batch) => {
    await nextTurn()
    batches.push(batch)
  })
  const seen = (partition: number): number[] =>
    batches.filter((one) => one.partition === partition).flatMap(({ messages }) => messages.map(({ offset }) => offset))
  return { tail, batches, seen, count: () => batches.reduce((sum, { messages }) => sum + messages.length, 0) }
}

const to = (partition: number, count: number) => numbered(count).map((message) => ({ ...message, partition }))
const offsets = (from: number, end: number): number[] => Array.from({ length: end - from }, (_, i) => from + i)
const start = (...at: number[]) => at.map((offset, partition) => ({ partition, offset }))

/** The promises of the port about what is followed live. */
export function tailsContract(name: string, { open, ageing, runs }: TailContract, unkept = new Set<string>()): void {
  const test = promises(unkept)
  describe(`${name}: tails`, { timeout: 240_000 }, () => {
    const opened = open()
    afterAll(async () => (await opened).close())

    test('what is appended once a tail has begun is handed over, in order and once, whoever sends it', async () => {
      const [log, other] = [await opened, await open()]
      const topic = await topicOn(log)
      await log.send([{ topic, messages: [...to(0, 20), ...to(1, 10)] }])
      const { tail, batches, seen, count } = await heard(log, { topic })
      for (let i = 0; i < 5; i++) {
        await log.send([{ topic, messages: to(0, 10) }])
        await other.send([{ topic, messages: [...to(0, 5), ...to(1, 20)] }])
      }
      await until('all of it', () => count() === 175, LONG_MS)
      expect([seen(0), seen(1)]).toEqual([offsets(20, 95), offsets(10, 110)])
      for (const { partition, messages, to: end, highWatermark } of batches) {
        expect(end).toBe(messages.at(-1)!.offset + 1)
        expect(highWatermark).toBeGreaterThanOrEqual(end)
        expect(partition).toBeLessThan(2)
      }
      await stopped(tail)
      await other.close()
    })

    test('a tail begins where it is told, and elsewhere at the end of now', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 3 })
      const headers = { reason: 'ünïcode' }
      const sent = { key: 'k', value: Buffer.from('v'), headers, timestamp: 1_700_000_000_000, partition: 0 }
      await log.send([{ topic, messages: [...to(0, 5), sent, ...to(1, 5), ...to(2, 5)] }])
      const from = [
        { partition: 0, offset: 3 },
        { partition: 2, offset: 0 },
      ]
      const { tail, batches, seen, count } = await heard(log, { topic, from })
      await log.send([{ topic, messages: to(1, 1) }])
      await until('all from there', () => count() === 9, LONG_MS)
      expect([seen(0), seen(1), seen(2)]).toEqual([offsets(3, 6), [5], offsets(0, 5)])
      const found = batches.flatMap(({ messages }) => messages).find(({ key }) => text(key) === 'k')
      expect(found).toEqual({ ...sent, offset: 5, key: Buffer.from('k'), partition: undefined })
      await stopped(tail)
    })

    test('batches keep within their bounds, of one record at least, also after a wait', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      const of = (bytes: number) => ({ key: null, value: Buffer.alloc(bytes, 'x'), partition: 0 })
      const gate = Promise.withResolvers<void>()
      const batches: TailBatch[] = []
      const tail = await log.tail({ topic, from: [], maxRecords: 7, maxBytes: 1_000 }, async (batch) => {
        await gate.promise
        batches.push(batch)
      })
      const sizes = [...Array(40).fill(10), 5_000, ...Array(20).fill(400), 5_000, 5_000, ...Array(9).fill(100)]
      for (const size of sizes) await log.send([{ topic, messages: [of(size)] }])
      await log.send([{ topic, messages: sizes.map(of) }])
      gate.resolve()
      await until('all of it', () => batches.at(-1)?.to === 2 * sizes.length, LONG_MS)
      for (const { messages } of batches) {
        const bytes = messages.reduce((sum, { value }) => sum + value!.length, 0)
        expect(messages.length === 1 || (messages.length <= 7 && bytes <= 1_000)).toBe(true)
      }
      expect(batches.flatMap(({ messages }) => messages.map(({ value }) => value!.length))).toEqual([
        ...sizes,
        ...sizes,
      ])
      await stopped(tail)
    })

    test('a batch in work holds back its partition, not the others', async () => {
      const log = await opened
      const topic = await topicOn(log)
      const gate = Promise.withResolvers<void>()
      const [running, most, seen] = [
        [0, 0],
        [0, 0],
        [0, 0],
      ]
      const options = { topic, from: start(0, 0), maxRecords: 10, maxBytes: 100_000 }
      const tail = await log.tail(options, async ({ partition, messages }) => {
        most[partition] = Math.max(most[partition]!, ++running[partition]!)
        if (partition === 0) await gate.promise
        else await nextTurn()
        seen[partition]! += messages.length
        running[partition]!--
      })
      for (let i = 0; i < 5; i++) await log.send([{ topic, messages: [...to(0, 30), ...to(1, 30)] }])
      await until('partition 1 is read to its end', () => seen[1] === 150, LONG_MS)
      expect(seen[0]).toBe(0)
      gate.resolve()
      await until('partition 0 too', () => seen[0] === 150, LONG_MS)
      expect(most).toEqual([1, 1])
      await stopped(tail)
    })

    test('a tail that begins where another one ended gets what came meanwhile', async () => {
      const log = await opened
      const topic = await topicOn(log)
      const first = await heard(log, { topic, from: start(0, 0) })
      await log.send([{ topic, messages: [...to(0, 10), ...to(1, 10)] }])
      await until('the first part', () => first.count() === 20, LONG_MS)
      await stopped(first.tail)
      await log.send([{ topic, messages: [...to(0, 7), ...to(1, 3)] }])
      const second = await heard(log, { topic, from: start(10, 10) })
      await log.send([{ topic, messages: to(1, 2) }])
      await until('the rest', () => second.count() === 12, LONG_MS)
      expect([second.seen(0), second.seen(1)]).toEqual([offsets(10, 17), offsets(10, 15)])
      expect(first.count()).toBe(20)
      await stopped(second.tail)
    })

    test('stop waits for the running batch, and no other one comes', async () => {
      const log = await opened
      const topic = await topicOn(log)
      await log.send([{ topic, messages: [...to(0, 50), ...to(1, 50)] }])
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const gate = Promise.withResolvers<void>()
      let [batches, ended] = [0, 0]
      const tail = await log.tail({ topic, from: start(0, 0), maxRecords: 5, maxBytes: 1_000 }, async (batch) => {
        batches++
        begun[batch.partition]!.resolve()
        await gate.promise
        ended++
      })
      await Promise.all(begun.map(({ promise }) => promise))
      let isStopped = false
      const stop = tail.stop().then(() => {
        isStopped = true
      })
      await log.send([{ topic, messages: to(0, 1) }])
      expect([isStopped, ended]).toEqual([false, 0])
      gate.resolve()
      await stop
      await tail.stop()
      await tail.closed
      // Whoever would hand over more does so by now.
      const witness = await heard(log, { topic, from: start(0, 0) })
      await until('another tail has read it all', () => witness.count() === 101, LONG_MS)
      await stopped(witness.tail)
      expect([batches, ended]).toEqual([2, 2])
    })

    test('a batch that throws ends the tail with its error, after those of other partitions', async () => {
      const log = await opened
      const topic = await topicOn(log)
      const gate = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      let ended = false
      const tail = await log.tail({ topic, from: start(0, 0), ...BOUNDS }, async ({ partition }) => {
        if (partition === 0) throw new Error('the listener is gone')
        begun.resolve()
        await gate.promise
        ended = true
      })
      await log.send([{ topic, messages: to(1, 1) }])
      await begun.promise
      await log.send([{ topic, messages: to(0, 1) }])
      gate.resolve()
      await expect(tail.closed).rejects.toThrow('the listener is gone')
      expect(ended).toBe(true)
      await tail.stop()
      const sync = await log.tail({ topic, from: start(0, 0), ...BOUNDS }, () => {
        throw new Error('at once')
      })
      await expect(sync.closed).rejects.toThrow('at once')
    })

    test('an offset beyond the end, or below what is kept, is gone', async () => {
      const { log, dropAll, close } = await ageing()
      const topic = await topicOn(log, { partitions: 2, retentionMs: HOUR })
      await log.send([{ topic, messages: to(1, 8) }])
      const refusal = (partition: number, offset: number) =>
        log
          .tail({ topic, from: [{ partition, offset }], ...BOUNDS }, () => undefined)
          .then(
            () => null,
            (error: unknown) => error,
          )
      expect(await refusal(1, 9)).toMatchObject({ topic, partition: 1, offset: 9, low: 0, high: 8 })
      await dropAll(topic)
      const gone = await refusal(1, 7)
      expect(gone).toBeInstanceOf(OffsetGone)
      expect(gone).toMatchObject({ topic, partition: 1, offset: 7, low: 8, high: 8 })
      expect((gone as Error).message).toContain(`${topic} partition 1: offset 7 is gone`)
      const { tail, seen } = await heard(log, { topic, from: [{ partition: 1, offset: 8 }] })
      await log.send([{ topic, messages: to(1, 1) }])
      await until('what came since', () => seen(1).length === 1, LONG_MS)
      expect(seen(1)).toEqual([8])
      await stopped(tail)
      await close()
    })

    test('retention that passes a tail ends it as gone, with what it had in work handed over', async () => {
      const { log, dropAll, close } = await ageing()
      const topic = await topicOn(log, { partitions: 2, retentionMs: HOUR })
      // Which no codec makes shorter: brokers count what they keep.
      for (let i = 0; i < 20; i++)
        await log.send([{ topic, messages: [{ key: null, value: randomBytes(1_000), partition: 0 }] }])
      const gate = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      let next = 0
      const tail = await log.tail({ topic, from: start(0, 0), maxRecords: 2, maxBytes: 2_500 }, async (batch) => {
        begun.resolve()
        await gate.promise
        next = batch.to
      })
      await begun.promise
      await dropAll(topic)
      await log.send([{ topic, messages: to(0, 3) }])
      gate.resolve()
      const error = await tail.closed.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(OffsetGone)
      expect(error).toMatchObject({ topic, partition: 0, offset: next, low: 20 })
      expect(next).toBeGreaterThan(0)
      expect(next).toBeLessThan(20)
      await close()
    })

    test('what cannot be followed is named', async () => {
      const log = await opened
      const topic = await topicOn(log)
      const tail = (options: Partial<TailOptions>) =>
        log.tail({ topic, from: [], ...BOUNDS, ...options }, () => undefined)
      await expect(tail({ from: [{ partition: 2, offset: 0 }] })).rejects.toThrow(`${topic} has no partition 2`)
      await expect(tail({ from: [...start(0), ...start(0)] })).rejects.toThrow('partition 0 is named twice')
      await expect(tail({ from: start(0.5) })).rejects.toThrow('0.5 is not an offset')
      await expect(tail({ maxRecords: 0 })).rejects.toThrow('maxRecords')
      await expect(tail({ maxBytes: Number.NaN })).rejects.toThrow('maxBytes')
    })

    test('an unknown topic cannot be followed', async () => {
      const log = await opened
      const topic = unique('nowhere')
      await expect(log.tail({ topic, from: [], ...BOUNDS }, () => undefined)).rejects.toThrow(topic)
    })

    test('several tails and a group read the same topic side by side', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log), unique('group')]
      let read = 0
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async ({ messages }) => {
        read += messages.length
      })
      const tails = await Promise.all([1, 2, 3].map(() => heard(log, { topic })))
      for (let i = 0; i < 10; i++) await log.send([{ topic, messages: [...to(0, 5), ...to(1, 5)] }])
      await until('each has all', () => read === 100 && tails.every(({ count }) => count() === 100), LONG_MS)
      await stopped(tails[0]!.tail)
      await log.send([{ topic, messages: to(1, 5) }])
      const rest = tails.slice(1)
      await until('the others go on', () => read === 105 && rest.every(({ count }) => count() === 105), LONG_MS)
      for (const { seen } of rest) expect([seen(0), seen(1)]).toEqual([offsets(0, 50), offsets(0, 55)])
      await Promise.all([...rest.map(({ tail }) => stopped(tail)), stopped(consumer)])
    })

    test('a compacted topic is followed too, with its tombstones', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1, cleanup: 'compact' })
      const { tail, batches, count } = await heard(log, { topic })
      for (const value of [Buffer.from('1'), Buffer.from('2'), null])
        await log.send([{ topic, messages: [{ key: 'k', value }] }])
      await until('all of it', () => count() === 3, LONG_MS)
      expect(batches.flatMap(({ messages }) => messages.map(({ value }) => text(value)))).toEqual(['1', '2', 'null'])
      await stopped(tail)
    })

    test('a log that is closed ends its tails', async () => {
      const log = await open()
      const { tail } = await heard(log, { topic: await topicOn(log) })
      await log.close()
      await tail.closed
    })

    test('whatever is sent and whenever tails stop and go on at their end: all of them together hand over the log', async () => {
      const log = await opened
      const partitions = 3
      const send = fc.array(fc.record({ partition: fc.nat(partitions - 1), bytes: fc.nat(2_000) }), { maxLength: 20 })
      const step = fc.oneof(
        { weight: 4, arbitrary: send.map((records) => ({ records, wait: false })) },
        { weight: 2, arbitrary: send.map((records) => ({ records, wait: true })) },
        { weight: 2, arbitrary: fc.constant('turn' as const) },
      )
      const bounds = fc.record({
        maxRecords: fc.integer({ min: 1, max: 20 }),
        maxBytes: fc.integer({ min: 1, max: 9_000 }),
      })
      const history = fc.record({ steps: fc.array(step, { minLength: 5, maxLength: 25 }), bounds })
      await fc.assert(
        fc.asyncProperty(history, async ({ steps, bounds }) => {
          const topic = await topicOn(log, { partitions })
          const at = Array(partitions).fill(0)
          const found: string[][] = at.map(() => [])
          const begin = (): Promise<Tail> =>
            log.tail({ topic, from: start(...at), ...bounds }, async (batch) => {
              await nextTurn()
              for (const { offset, value } of batch.messages)
                found[batch.partition]!.push(`${offset}: ${value!.length}`)
              at[batch.partition] = batch.to
            })
          const sent: string[][] = at.map(() => [])
          const sends: Promise<void>[] = []
          let tail: Tail | null = await begin()
          for (const one of steps)
            if (one === 'turn') {
              if (tail === null) tail = await begin()
              else {
                await stopped(tail)
                tail = null
              }
            } else {
              // Sends of one caller stay in order, also where none waits for the last.
              for (const { partition, bytes } of one.records)
                sent[partition]!.push(`${sent[partition]!.length}: ${bytes}`)
              const messages = one.records.map(({ partition, bytes }) => ({
                key: null,
                value: Buffer.alloc(bytes),
                partition,
              }))
              sends.push(log.send([{ topic, messages }]))
              if (one.wait) await sends.at(-1)
            }
          await Promise.all(sends)
          tail ??= await begin()
          const isWhole = () => found.every((of, partition) => of.length >= sent[partition]!.length)
          await until('all is handed over', isWhole, LONG_MS)
          await stopped(tail)
          expect(found).toEqual(sent)
          expect(at).toEqual(sent.map(({ length }) => length))
        }),
        { numRuns: runs },
      )
    })
  })
}
