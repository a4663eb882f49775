import { expect, test } from 'vitest'
import { fadeJob } from '../../../../../pipelines/jobs/intelligence/fade.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const about = (n: number) => ({ entityId: entityId('ip', `8.8.0.${n}`), type: 'ip', value: `8.8.0.${n}` })

/** A job over due entities with the keys 1, 2, ..., and a log that is applied up to `committed`. */
function setUp(due: number[] = [], start = 0n) {
  const ticks: { value: string; at: number }[] = []
  const pauses: number[] = []
  const log = { high: 0, committed: 0, failing: false }
  const left = new Set(due)
  /** What became due after the first turn, and what was asked for: all, or what came after a time. */
  const late = new Set<number>()
  const scans: (number | 'all')[] = []
  const tables = { name: 'harrier', ahead: 0 }
  const clock = { now: NOW }
  /** What the store says of writes, and when the next candidate is to be looked at. */
  const said = { written: null as string | null, next: null as number | null }
  const stopping = new AbortController()
  let paused = (): void => undefined
  const job = fadeJob(
    {
      store: {
        tables: async () => ({ generation: tables.name, clock: clock.now + tables.ahead }),
        nextAfter: async (time) => {
          expect(time).toBe(clock.now)
          return said.next
        },
        async dueAfter({ at, key }, now, limit) {
          expect(now).toBe(clock.now)
          expect(at).toBeGreaterThan(0)
          scans.push(at)
          const found = [...late].filter((n) => BigInt(n) > key).slice(0, limit)
          const next = found.length < limit ? null : { at, key: BigInt(found.at(-1)!) }
          return { entities: found.map(about), next }
        },
        async dueBetween({ after, to }, now, limit) {
          scans.push('all')
          expect(now).toBe(clock.now)
          const found = [...left].filter((n) => BigInt(n) > after && BigInt(n) <= to).slice(0, limit)
          return { entities: found.map(about), next: found.length < limit ? null : BigInt(found.at(-1)!) }
        },
      },
      log: {
        async send(batches) {
          if (log.failing) throw new Error('the log is away')
          for (const { messages } of batches)
            for (const { value, timestamp, key } of messages) {
              const o = JSON.parse(String(value)) as Observation
              expect(key).toBe(o.entityId)
              ticks.push({ value: o.value, at: timestamp! })
              log.high++
            }
        },
        offsets: async () => [{ partition: 0, low: 0, high: log.high }],
        committed: async () => [{ partition: 0, offset: log.committed }],
      },
      encode: (o) => Buffer.from(JSON.stringify(o)),
      written: () => said.written,
    },
    {
      now: () => clock.now,
      pause: async (ms) => {
        pauses.push(ms)
        paused()
      },
      signal: stopping.signal,
      startKey: () => start,
      group: 'observe',
    },
  )
  const apply = (): void => {
    log.committed = log.high
    left.clear()
    late.clear()
  }
  const whilePaused = (work: () => void): void => {
    paused = work
  }
  return { job, ticks, pauses, log, left, late, scans, tables, clock, said, stopping, apply, whilePaused }
}
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)

test('a turn tells every entity that is due what time it is, once, wherever it begins', async () => {
  for (const start of [0n, 700n, 5_000n]) {
    const { job, ticks } = setUp(upTo(2_500), start)
    expect(await job.turn()).toBe(2_500)
    expect(ticks.map(({ value }) => value).sort()).toEqual(
      upTo(2_500)
        .map((n) => about(n).value)
        .sort(),
    )
    expect(new Set(ticks.map(({ at }) => at))).toEqual(new Set([NOW]))
  }
})

test('two thousand a second at most', async () => {
  const { job, pauses } = setUp(upTo(2_500))
  expect(await job.turn()).toBe(2_500)
  expect(pauses).toEqual([500, 500, 250])
})

test('what was told and is not applied is not told again', async () => {
  const { job, ticks, apply, late, log } = setUp([1, 2])
  expect(await job.turn()).toBe(2)
  expect(await job.turn()).toBe(0)
  log.committed = 1
  expect(await job.turn()).toBe(0)
  apply()
  late.add(3)
  expect(await job.turn()).toBe(1)
  expect(ticks).toHaveLength(3)
})

test('nothing is told while the jobs are more than a batch behind', async () => {
  const { job, ticks, log, pauses, whilePaused } = setUp([1])
  log.high = 60_000
  log.committed = 10_000
  whilePaused(() => {
    if (log.high - log.committed > 25_000) expect(ticks).toEqual([])
    log.committed += 10_000
  })
  expect(await job.turn()).toBe(1)
  expect(pauses).toEqual([1_000, 1_000, 1_000, 0.5])
})

test('a turn that failed is made good by the next, and a stopped one ends at once', async () => {
  const { job, ticks, log, stopping } = setUp([1])
  log.failing = true
  await expect(job.turn()).rejects.toThrow('the log is away')
  log.failing = false
  expect(await job.turn()).toBe(1)
  log.committed = log.high
  stopping.abort(new Error('stopped'))
  await expect(job.turn()).rejects.toThrow('stopped')
  expect(ticks).toHaveLength(1)
})

test('turns after the first look at what came since the one before, from two minutes earlier on', async () => {
  const { job, scans, late, tables, clock, apply } = setUp([], 5n)
  await job.turn()
  expect(scans).toEqual(['all', 'all'])
  clock.now += 60_000
  for (let n = 1; n <= 1_001; n++) late.add(n)
  expect(await job.turn()).toBe(1_001)
  expect(scans.slice(2)).toEqual([NOW - 120_000, NOW - 120_000])
  apply()
  // The clock of the tables is behind: rows that they store now are from before.
  clock.now += 60_000
  tables.ahead = -30_000
  await job.turn()
  clock.now += 60_000
  await job.turn()
  expect(scans.slice(4)).toEqual([NOW - 60_000, NOW + 120_000 - 30_000 - 120_000])
})

test('all keys are looked at again after a day, in other tables, and after a turn that failed', async () => {
  const { job, scans, left, tables, clock, log } = setUp([], 5n)
  await job.turn()
  clock.now += 24 * 3_600_000 - 1
  await job.turn()
  expect(scans.slice(2)).toEqual([NOW - 120_000])
  clock.now += 1
  await job.turn()
  expect(scans.slice(3)).toEqual(['all', 'all'])
  tables.name = 'another'
  await job.turn()
  expect(scans.slice(5)).toEqual(['all', 'all'])
  tables.name = 'harrier'
  left.add(1)
  log.failing = true
  await expect(job.turn()).rejects.toThrow('the log is away')
  log.failing = false
  expect(await job.turn()).toBe(1)
  expect(scans.slice(7)).toEqual(['all', 'all', 'all', 'all'])
})

test('while nothing is written and nothing becomes due, the store is asked twice a minute', async () => {
  const { job, scans, clock, said } = setUp([], 5n)
  said.written = 'start 1'
  for (let seconds = 0; seconds <= 60; seconds += 3) {
    await job.turn()
    clock.now += 3_000
  }
  expect(scans).toEqual(['all', 'all', NOW - 120_000, NOW - 90_000])
})

test('what is written is looked at in the next turn', async () => {
  const { job, scans, clock, said, late, ticks } = setUp([], 5n)
  said.written = 'start 1'
  await job.turn()
  clock.now += 3_000
  expect(await job.turn()).toBe(0)
  expect(scans).toHaveLength(2)
  said.written = 'start 2'
  late.add(1)
  expect(await job.turn()).toBe(1)
  expect(ticks).toHaveLength(1)
})

test('what becomes due is looked at in the first turn after its time, though nothing is written', async () => {
  const { job, scans, clock, said } = setUp([], 5n)
  said.written = 'start 1'
  said.next = NOW + 7_000
  await job.turn()
  clock.now += 6_000
  await job.turn()
  expect(scans).toHaveLength(2)
  clock.now += 1_000
  await job.turn()
  expect(scans).toHaveLength(3)
})
