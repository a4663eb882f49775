import type { setTimeout as realSleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { expect, test, vi } from 'vitest'
import { ComparisonRunning } from '../../../../../connectors/history/port.ts'
import { watchCounts } from '../../../../../pipelines/jobs/intelligence/counts-watch.ts'

// Its first look comes after half a minute, and the next one a day later.
vi.mock('node:timers/promises', async (original) => {
  const real = await original<{ setTimeout: typeof realSleep }>()
  return {
    ...real,
    setTimeout: (ms: number, value: unknown, options: object) =>
      real.setTimeout(ms === 30_000 ? 0 : ms, value, options),
  }
})

test.each([
  [
    'another process that compares is no fault',
    new ComparisonRunning(),
    ['info another process compares the counters with a recount'],
  ],
  [
    'a comparison that fails is told',
    new Error('the store is away'),
    ['warn cannot compare the counters with a recount; next attempt tomorrow'],
  ],
])('%s', async (_, failure, told) => {
  const said: string[] = []
  const logger = {
    info: (message: string) => void said.push(`info ${message}`),
    warn: (_fields: object, message: string) => void said.push(`warn ${message}`),
    debug: () => undefined,
  } as unknown as Logger
  const log = { offsets: async () => [], committed: async () => [] }
  const watch = watchCounts(
    log,
    { open: () => Promise.reject(failure) },
    { repair: false, logger, report: () => undefined },
  )
  await expect.poll(() => said).toEqual(told)
  await watch.stop()
})
