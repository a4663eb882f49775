import { expect, test, vi } from 'vitest'
import type { CounterRows } from '../../../../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { memoryRows, newCounter } from '../../../../../builders/accounts/counters.ts'

function given() {
  const rows = memoryRows()
  const clock = { ms: 1_800_000_000_000 }
  const process = () => limitLeases(rows, () => clock.ms)
  return { rows, clock, process, counter: newCounter() }
}

/** What is borrowed ahead of need has come. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

const admittedOf = async (asked: Promise<{ admitted: boolean }>[]) =>
  (await Promise.all(asked)).filter(({ admitted }) => admitted).length

test('a busy process asks the store rarely, and one by one near the end', async () => {
  const { rows, process, counter } = given()
  const limits = process()
  for (let used = 1; used <= 10_000; used++) {
    expect(await limits.take(counter, 10_000, 1)).toEqual({ admitted: true, used })
    if (used === 5_000) expect(rows.calls).toBeLessThan(40)
  }
  expect(await limits.take(counter, 10_000, 1)).toEqual({ admitted: false, used: 10_000 })
  expect(rows.granted).toBe(10_000)
})

test('callers who are far apart borrow no more than they use', async () => {
  const { rows, clock, process, counter } = given()
  const limits = process()
  for (let used = 1; used <= 20; used++) {
    await limits.take(counter, 10_000, 1)
    expect(rows.granted).toBe(used)
    clock.ms += 600
  }
})

test('many at once through several processes: exactly the limit is admitted', async () => {
  const { rows, process, counter } = given()
  const processes = [process(), process(), process()]
  const asked = Array.from({ length: 3_000 }, (_, i) => processes[i % 3]!.take(counter, 1_000, 1))
  expect(await admittedOf(asked)).toBe(1_000)
  expect(rows.granted).toBe(1_000)
})

test('what lies still goes back and is admitted elsewhere', async () => {
  const { rows, clock, process, counter } = given()
  const [busy, other] = [process(), process()]
  for (let i = 0; i < 300; i++) await busy.take(counter, 1_000, 1)
  await settled()
  expect(rows.granted).toBeGreaterThan(300)
  clock.ms += 500
  await busy.sweep()
  expect(rows.granted).toBe(300)
  expect(await admittedOf(Array.from({ length: 800 }, () => other.take(counter, 1_000, 1)))).toBe(700)
})

test('what a slow caller leaves of a big loan goes back though it still asks', async () => {
  const { rows, clock, process, counter } = given()
  const limits = process()
  for (let i = 0; i < 1_000; i++) await limits.take(counter, 100_000, 1)
  await settled()
  expect(rows.granted - 1_000).toBeGreaterThan(10)
  clock.ms += 500
  await limits.take(counter, 100_000, 1)
  await limits.sweep()
  expect(rows.granted).toBe(1_001)
})

/** A busy caller whose next loan is under way. */
async function borrowingAhead() {
  const all = given()
  const limits = all.process()
  for (let i = 0; i < 1_000; i++) {
    const { calls } = all.rows
    await limits.take(all.counter, 100_000, 1)
    // No request waited, and yet the store was asked.
    if (all.rows.calls > calls && i > 100) return { ...all, limits, used: i + 1 }
  }
  throw new Error('nothing was borrowed ahead')
}

test('a busy caller waits for no loan: the next one comes before the last is used up', async () => {
  const { limits, counter, rows, clock } = await borrowingAhead()
  let waited = 0
  for (let i = 0; i < 5_000; i++) {
    let isThere = false
    const asked = limits.take(counter, 100_000, 1).then(() => {
      isThere = true
    })
    await Promise.resolve()
    await Promise.resolve()
    if (!isThere) waited++
    await asked
    await settled()
    clock.ms += 0.25
  }
  expect(waited).toBe(0)
  expect(rows.calls).toBeLessThan(100)
})

test('a loan that comes after the tier has changed goes back', async () => {
  const { limits, counter, rows, used } = await borrowingAhead()
  const [admitted] = await Promise.all([limits.take(counter, 50_000, 1), settled()])
  expect(admitted.admitted).toBe(true)
  await settled()
  await limits.close()
  expect(rows.granted).toBe(used + 1)
})

test('usage does not count a loan that is under way', async () => {
  const { limits, counter, rows, used, clock } = await borrowingAhead()
  const { service, featureKey, window, start, subject } = counter
  const stored = vi.spyOn(rows, 'usage')
  stored.mockImplementation(async () => [{ service, featureKey, window, start, used: rows.granted }])
  expect(await limits.usage(subject, clock.ms)).toMatchObject([{ used }])
})

test('a loan ahead of need that fails refuses nobody: the next request borrows', async () => {
  const { limits, counter, rows, used } = await borrowingAhead()
  await settled()
  const lend = vi.spyOn(rows, 'lend').mockRejectedValueOnce(new Error('away'))
  const admitted = await admittedOf(Array.from({ length: 200 }, () => limits.take(counter, 100_000, 1)))
  expect(admitted).toBe(200)
  expect(lend.mock.settledResults[0]?.type).toBe('rejected')
  await limits.close()
  expect(rows.granted).toBe(used + 200)
})

test('closing waits for a loan that is under way', async () => {
  const { limits, rows, used } = await borrowingAhead()
  await limits.close()
  expect(rows.granted).toBe(used)
})

test('a unit given back is admitted again', async () => {
  const { clock, process, counter } = given()
  const limits = process()
  expect(await admittedOf(Array.from({ length: 5 }, () => limits.take(counter, 5, 1)))).toBe(5)
  expect((await limits.take(counter, 5, 1)).admitted).toBe(false)
  limits.giveBack(counter, 1)
  clock.ms += 1_000
  await limits.sweep()
  const other = process()
  expect(await other.take(counter, 5, 1)).toEqual({ admitted: true, used: 5 })
  expect((await other.take(counter, 5, 1)).admitted).toBe(false)
})

test('units are taken all or none, and too few stay for those who need less', async () => {
  const { process, counter } = given()
  const limits = process()
  expect(await limits.take(counter, 10, 7)).toEqual({ admitted: true, used: 7 })
  expect(await limits.take(counter, 10, 5)).toEqual({ admitted: false, used: 7 })
  expect(await process().take(counter, 10, 3)).toEqual({ admitted: true, used: 10 })
})

test('a refusal of many units does not refuse those who need fewer, not even for a moment', async () => {
  const { rows, process, counter } = given()
  const limits = process()
  expect((await limits.take(counter, 10, 11)).admitted).toBe(false)
  expect(rows.calls).toBe(0)
  await limits.take(counter, 10, 4)
  expect((await limits.take(counter, 10, 8)).admitted).toBe(false)
  // What was too little has gone back.
  await new Promise(setImmediate)
  const { calls } = rows
  expect((await limits.take(counter, 10, 9)).admitted).toBe(false)
  expect(rows.calls).toBe(calls)
  expect(await limits.take(counter, 10, 6)).toEqual({ admitted: true, used: 10 })
  expect((await limits.take(counter, 10, 1)).admitted).toBe(false)
})

test('another tier counts from what was used, and a lower one admits nothing that was borrowed before', async () => {
  const { process, counter } = given()
  const limits = process()
  for (let i = 0; i < 100; i++) await limits.take(counter, 1_000, 1)
  expect(await limits.take(counter, 100, 1)).toEqual({ admitted: false, used: 100 })
  expect(await limits.take(counter, 101, 1)).toEqual({ admitted: true, used: 101 })
})

test('those who go on asking after a refusal cost no queries, for a moment', async () => {
  const { rows, clock, process, counter } = given()
  const limits = process()
  await limits.take(counter, 1, 1)
  await limits.take(counter, 1, 1)
  const { calls } = rows
  for (let i = 0; i < 100; i++) expect((await limits.take(counter, 1, 1)).admitted).toBe(false)
  expect(rows.calls).toBe(calls)
  clock.ms += 100
  await limits.take(counter, 1, 1)
  expect(rows.calls).toBe(calls + 1)
})

test('a store that fails admits nobody and is asked again by the next', async () => {
  const { rows, clock, counter } = given()
  const broken: CounterRows = { ...rows, lend: () => Promise.reject(new Error('gone')) }
  const limits = limitLeases(broken, () => clock.ms)
  const asked = await Promise.allSettled([limits.take(counter, 5, 1), limits.take(counter, 5, 1)])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken.lend = (...loan) => rows.lend(...loan)
  expect((await limits.take(counter, 5, 1)).admitted).toBe(true)
})

test('a process that closes leaves nothing behind', async () => {
  const { rows, process, counter } = given()
  const limits = process()
  for (let i = 0; i < 100; i++) await limits.take(counter, 1_000, 1)
  await limits.close()
  expect(rows.granted).toBe(100)
})
