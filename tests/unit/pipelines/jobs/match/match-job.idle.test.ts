import { afterEach, expect, test, vi } from 'vitest'
import { matchJob } from '../../../../../pipelines/jobs/match/match-job.ts'
import type { MatchPorts } from '../../../../../pipelines/jobs/match/ports.ts'
import type { Written } from '../../../../../pipelines/runtime/unwritten.ts'
import { memoryMatchStore, nothingKept } from '../../../../builders/history/match-model/store.ts'
import { knownWorld } from '../../../../builders/history/match-model/world.ts'

afterEach(() => vi.restoreAllMocks())

const LOOKS = 60
const never = (): never => expect.unreachable()

/** The job beside which nothing happens, stopped after so many looks. */
async function idleJob(written?: Written): Promise<{ settings: number; tables: number; waited: number }> {
  const asked = { settings: 0, tables: 0, waited: 0 }
  const ending = new AbortController()
  const { live } = knownWorld()
  const ports: MatchPorts = {
    log: { send: never, offsets: async () => [], committed: async () => [], read: async () => [] },
    stored: never,
    registry: {} as MatchPorts['registry'],
    settings: {
      refresh: async () => void asked.settings++,
      get: () => undefined,
      all: () => [],
      ended: () => [],
      put: never,
      remove: never,
    },
    producers: { refresh: async () => undefined, get: () => undefined },
    store: memoryMatchStore(nothingKept(), never),
    live: () => {
      asked.tables++
      return live()
    },
    ...(written && { written }),
    encodeMatch: never,
    encodeObservation: never,
  }
  let looks = 0
  vi.spyOn(performance, 'now').mockImplementation(() => asked.waited)
  const ended = Promise.withResolvers<void>()
  const job = matchJob(ports, {
    now: () => 0,
    pause: async (ms) => {
      asked.waited += ms
      if (++looks < LOOKS) return
      ending.abort()
      ended.resolve()
    },
    signal: ending.signal,
    idBitsLog2: 14,
    report: () => undefined,
    onFailure: (_, error) => expect.unreachable(String(error)),
  })
  await ended.promise
  await job.stopped()
  return asked
}

test('an idle job looks at settings twice a second, and asks the store every three seconds which tables are live', async () => {
  const { settings, tables, waited } = await idleJob()
  const seconds = waited / 1_000
  expect(seconds).toBeCloseTo(30, 0)
  expect(settings / seconds).toBeCloseTo(2, 0)
  expect(tables / seconds).toBeCloseTo(1 / 3, 1)
})

test('where the store says that nothing was written, an idle job asks it once, and as before where something is', async () => {
  const quiet = await idleJob(() => 'start 1')
  // Once to load the index, once to see that it is of the live tables.
  expect(quiet.tables).toBeLessThanOrEqual(2)
  let count = 0
  const busy = await idleJob(() => `start ${++count}`)
  expect(busy.tables / (busy.waited / 1_000)).toBeCloseTo(1 / 3, 1)
})
