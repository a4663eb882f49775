import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TailBrokers } from '../../../../../../connectors/log/kafka/tail/brokers.ts'
import { type FetchBounds, Unreadable, type Wanted } from '../../../../../../connectors/log/kafka/tail/fetch.ts'
import { followBrokers } from '../../../../../../connectors/log/kafka/tail/follow-topic.ts'
import { OffsetGone, type TailBatch } from '../../../../../../connectors/log/port.ts'
import { until } from '../../../../../contract/log/suite.ts'

const require = createRequire(import.meta.url)
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error }
const [OUT_OF_RANGE, NOT_LEADER, NO_RIGHT] = [1, 6, 29]
/** Records of one answer for one partition. */
const PORTION = 5

/** Brokers that lead partitions, move, go away and come back, and wait for records as real ones do. */
function brokersOf(partitions: number) {
  const records = Array.from({ length: partitions }, (): number[] => [])
  const leaders = records.map(() => 0)
  const away = new Set<number>()
  const asked: { broker: number; wanted: readonly Wanted[]; bounds: FetchBounds }[] = []
  const errors = new Map<number, Error>()
  let waiting = Promise.withResolvers<void>()
  let [low, closes] = [0, 0]
  const changed = (): void => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }

  function answer(broker: number, { partition, offset }: Wanted) {
    const of = records[partition]!
    const nothing = { partition, messages: [], to: offset, highWatermark: of.length }
    const error = errors.get(partition)
    if (error !== undefined) return { ...nothing, error }
    if (leaders[partition] !== broker) return { ...nothing, error: createErrorFromCode(NOT_LEADER) }
    if (offset < low || offset > of.length) return { ...nothing, error: createErrorFromCode(OUT_OF_RANGE) }
    const found = of.slice(offset, offset + PORTION)
    const messages = found.map((_, i) => ({ offset: offset + i, timestamp: 0, key: null, value: null, headers: {} }))
    return { ...nothing, error: null, messages, to: offset + found.length }
  }

  const brokers: TailBrokers = {
    leaders: async () => new Map(leaders.map((leader, partition) => [partition, leader])),
    async fetch(broker, wanted, bounds) {
      asked.push({ broker, wanted, bounds })
      for (const end = performance.now() + bounds.waitMs; ; ) {
        if (away.has(broker)) throw new Error(`broker ${broker} is away`)
        const answers = wanted.map((one) => answer(broker, one))
        const rest = end - performance.now()
        if (rest <= 0 || answers.some(({ error, messages }) => error !== null || messages.length > 0)) return answers
        let timer: NodeJS.Timeout | undefined
        await Promise.race([waiting.promise, new Promise((resolve) => (timer = setTimeout(resolve, rest)))])
        clearTimeout(timer)
      }
    },
    drop: () => undefined,
    close() {
      closes++
      changed()
    },
  }
  return {
    brokers,
    asked,
    errors,
    closes: () => closes,
    kept: async (partition: number) => ({ low, high: records[partition]!.length }),
    append(partition: number, count = 1) {
      for (let i = 0; i < count; i++) records[partition]!.push(records[partition]!.length)
      changed()
    },
    add() {
      records.push([])
      leaders.push(0)
    },
    move(partition: number, broker: number) {
      leaders[partition] = broker
      changed()
    },
    setAway(broker: number, isAway: boolean) {
      if (isAway) away.add(broker)
      else away.delete(broker)
      changed()
    },
    dropBefore(offset: number) {
      low = offset
      changed()
    },
    ends: () => records.map(({ length }) => length),
  }
}

const OPTIONS = { topic: 't', from: [], maxRecords: 3, maxBytes: 1_000 }

function followed(
  of: ReturnType<typeof brokersOf>,
  work: (batch: TailBatch) => Promise<void> | void = () => undefined,
) {
  const seen = new Map<number, number[]>()
  const starts = new Map(of.ends().map((_, partition) => [partition, 0]))
  const ports = { brokers: of.brokers, starts, kept: of.kept, metadataMs: 20 }
  const tail = followBrokers(ports, OPTIONS, async (batch) => {
    await work(batch)
    const list = seen.get(batch.partition) ?? []
    seen.set(batch.partition, list)
    for (const { offset } of batch.messages) list.push(offset)
  })
  return { tail, seen: (partition: number) => seen.get(partition) ?? [] }
}
const upTo = (end: number): number[] => Array.from({ length: end }, (_, i) => i)

test('whatever brokers do, each partition is handed over in order, whole and once', async () => {
  const partition = fc.nat(3)
  const broker = fc.nat(2)
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ append: partition, count: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 3, arbitrary: fc.record({ move: partition, to: broker }) },
    { weight: 2, arbitrary: fc.record({ broker, isAway: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant('turn' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const of = brokersOf(4)
      const { tail, seen } = followed(of, () => new Promise((resolve) => setImmediate(resolve)))
      for (const one of steps) {
        if (one === 'turn') await new Promise((resolve) => setTimeout(resolve, 1))
        else if ('append' in one) of.append(one.append, one.count)
        else if ('move' in one) of.move(one.move, one.to)
        else of.setAway(one.broker, one.isAway)
      }
      for (const back of [0, 1, 2]) of.setAway(back, false)
      await until('all is handed over', () => of.ends().every((end, at) => seen(at).length >= end), 60_000)
      await tail.stop()
      expect(of.ends().map((_, at) => seen(at))).toEqual(of.ends().map(upTo))
    }),
    { numRuns: 25 },
  )
}, 240_000)

test('partitions of a broker that is away wait for it, the others go on', async () => {
  const of = brokersOf(2)
  of.move(1, 1)
  of.setAway(1, true)
  const { tail, seen } = followed(of)
  of.append(1)
  for (let i = 0; i < 30; i++) {
    of.append(0)
    await until('the other one goes on', () => seen(0).length === i + 1, 60_000)
  }
  expect(seen(1)).toEqual([])
  of.setAway(1, false)
  await until('it comes back', () => seen(1).length === 1, 60_000)
  await tail.stop()
})

test('a partition in work is not asked for, and the broker answers soon while it is left out', async () => {
  const of = brokersOf(2)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { tail, seen } = followed(of, async ({ partition }) => {
    if (partition !== 0) return
    begun.resolve()
    await gate.promise
  })
  await until('both are asked for', () => of.asked.length > 0, 60_000)
  expect(of.asked[0]!.wanted.map(({ partition }) => partition).sort()).toEqual([0, 1])
  expect(of.asked[0]!.bounds.waitMs).toBeGreaterThan(1_000)
  of.append(0, 50)
  await begun.promise
  const before = of.asked.length
  await until('some requests are made', () => of.asked.length > before + 4, 60_000)
  for (const { wanted, bounds } of of.asked.slice(before + 1)) {
    expect(wanted.map(({ partition }) => partition)).toEqual([1])
    expect(bounds.waitMs).toBeLessThanOrEqual(200)
  }
  gate.resolve()
  await until('all of it', () => seen(0).length === 50, 60_000)
  expect(of.asked.every(({ bounds }) => bounds.partitionBytes <= 1_000 && bounds.maxBytes <= 2_000)).toBe(true)
  await tail.stop()
})

test('a partition that is added is followed from its beginning', async () => {
  const of = brokersOf(1)
  const { tail, seen } = followed(of)
  of.add()
  of.append(1, 3)
  await until('it is found', () => seen(1).length === 3, 60_000)
  expect(seen(1)).toEqual([0, 1, 2])
  await tail.stop()
})

test('an offset that a broker does not know for a moment is asked for again; one that is gone ends the tail', async () => {
  const of = brokersOf(1)
  of.append(0, 3)
  const moment = createErrorFromCode(OUT_OF_RANGE)
  of.errors.set(0, moment)
  const { tail, seen } = followed(of)
  await until('it was asked for again', () => of.asked.length > 2, 60_000)
  of.errors.clear()
  await until('it is there', () => seen(0).length === 3, 60_000)
  of.append(0, 10)
  of.dropBefore(13)
  const gate = followed(of).tail
  const error = await gate.closed.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(OffsetGone)
  expect(error).toMatchObject({ topic: 't', partition: 0, offset: 0, low: 13, high: 13 })
  await tail.stop().catch(() => undefined)
})

test.each([
  ['a refusal of the broker', createErrorFromCode(NO_RIGHT), /Not authorized/],
  ['records that cannot be read', new Unreadable('topic t partition 1', new Error('torn')), /torn/],
])('%s ends the tail with its reason', async (_, error, reason) => {
  const of = brokersOf(2)
  of.errors.set(1, error)
  const { tail } = followed(of)
  await expect(tail.closed).rejects.toThrow(reason)
})

test('a stop comes between two batches of one answer', async () => {
  const of = brokersOf(1)
  of.append(0, PORTION)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { tail, seen } = followed(of, () => {
    begun.resolve()
    return gate.promise
  })
  await begun.promise
  const stop = tail.stop()
  gate.resolve()
  await stop
  expect(seen(0)).toEqual([0, 1, 2])
})

test('a stop waits for no answer, and what was connected late is closed too', async () => {
  const of = brokersOf(1)
  const late = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const brokers: TailBrokers = {
    ...of.brokers,
    async fetch() {
      begun.resolve()
      await late.promise
      return []
    },
  }
  const tail = followBrokers(
    { brokers, starts: new Map([[0, 0]]), kept: of.kept, metadataMs: 1_000 },
    OPTIONS,
    () => undefined,
  )
  await begun.promise
  await tail.stop()
  await tail.closed
  const before = of.closes()
  late.resolve()
  await until('they are closed again', () => of.closes() > before, 60_000)
})
