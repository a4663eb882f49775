import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kyselyCounters } from '../../../connectors/postgres/accounts/plan/limit-counters.ts'
import type { Counter } from '../../../connectors/postgres/accounts/plan/port.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { newCounter } from '../../builders/accounts/counters.ts'
import { promised } from '../../builders/suite/promised.ts'

const url = process.env.DATABASE_URL
const TAKER = fileURLToPath(new URL('children/taker.ts', import.meta.url))
const PROCESSES = 4

const open = (target: string) => postgresDatabase({ url: target, poolSize: 10, onConnectionLost: () => undefined })

/** A window that is open now and stays open for longer than the test. */
const current = (): Counter => newCounter({ window: 'week', start: Date.now() - 1_000, end: Date.now() + 3_600_000 })

async function takers(counter: Counter, limit: number, refusals: number): Promise<ChildProcess[]> {
  const children = Array.from({ length: PROCESSES }, () =>
    fork(TAKER, [url!, JSON.stringify(counter), String(limit), String(refusals)]),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  return children
}

const outcome = async (child: ChildProcess) =>
  (await once(child, 'message'))[0] as { admitted: number; refused: number; most: number }

promised(['DATABASE_URL'], ({ DATABASE_URL }) => {
  for (const limit of [10, 3_000, 50_000])
    test(`four processes together admit exactly ${limit}`, async () => {
      const counter = current()
      const children = await takers(counter, limit, 2_000)
      for (const child of children) child.send('go')
      const told = await Promise.all(children.map(outcome))
      expect(told.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(limit)
      expect(Math.max(...told.map(({ most }) => most))).toBe(limit)
      expect(told.every(({ refused }) => refused >= 2_000)).toBe(true)
    })

  test('a process that is killed takes its loan with it, and never makes room for more than the limit', async () => {
    const limit = 200_000
    const counter = current()
    const [victim, ...children] = await takers(counter, limit, 2_000)
    for (const child of [victim!, ...children]) child.send('go')
    const told = Promise.all(children.map(outcome))
    const { db, close } = await open(DATABASE_URL)
    const used = async () => (await kyselyCounters(db).usage(counter.subject, Date.now()))[0]?.used ?? 0
    await expect.poll(used, { timeout: 10_000 }).toBeGreaterThan(0)
    victim!.kill('SIGKILL')
    const admitted = (await told).reduce((sum, each) => sum + each.admitted, 0)
    expect(admitted).toBeLessThanOrEqual(limit)
    expect(await used()).toBe(limit)
    await close()
  })
})
