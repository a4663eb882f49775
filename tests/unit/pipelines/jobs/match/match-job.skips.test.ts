import { expect, test } from 'vitest'
import { matchJob } from '../../../../../pipelines/jobs/match/match-job.ts'
import type { MatchPorts } from '../../../../../pipelines/jobs/match/ports.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { CHANGES, TELEMETRY } from '../../../../../schemas/log/topics.ts'
import type { OwnerSettings } from '../../../../../schemas/match/settings.ts'
import { memoryMatchStore, nothingKept } from '../../../../builders/history/match-model/store.ts'
import { knownWorld } from '../../../../builders/history/match-model/world.ts'
import { during } from '../../../../builders/suite/during.ts'

const OWNER: OwnerSettings = {
  owner: 'user:1',
  revision: 1,
  changedAt: 0,
  selector: { reputation: { lte: -1 }, wellKnown: false },
  groups: ['public'],
  retentionDays: 30,
  sightings: null,
}
const encode = encoder<Change>(records.change, 1)
const never = (): never => expect.unreachable()

/** The job over a log that has one change, with owners that a test adds, and what was asked of it in order. */
async function started() {
  const world = knownWorld()
  const [change] = world.observe({ reputation: -3 })
  const owners: OwnerSettings[] = []
  const asked: string[] = []
  const ending = new AbortController()
  const ports: MatchPorts = {
    log: {
      send: never,
      offsets: async () => [{ partition: 0, low: 0, high: 1 }],
      committed: async () => [],
      async read(topic, partition, from) {
        if (topic !== CHANGES) return []
        asked.push(`read ${partition}/${from}`)
        return [{ offset: from, timestamp: 0, key: null, value: encode(change!), headers: {} }]
      },
    },
    stored: async (changes) => void asked.push(`stored ${changes.map(({ offset }) => offset)}`),
    registry: { schema: async () => records.change, known: () => records.change } as never,
    settings: {
      refresh: async () => undefined,
      get: () => undefined,
      all: () => owners,
      ended: () => [],
      put: never,
      remove: never,
    },
    producers: { refresh: async () => undefined, get: () => undefined },
    store: memoryMatchStore(nothingKept(), (_, write) => Promise.resolve(write())),
    async live() {
      const { indicators, ...live } = await world.live()
      const marks = (lte: number) => {
        if (owners.length > 0) asked.push('marks')
        return indicators.marks(lte)
      }
      return { ...live, indicators: { ...indicators, marks } }
    },
    encodeMatch: never,
    encodeObservation: never,
  }
  const job = matchJob(ports, {
    now: () => 0,
    // Nothing is looked at but what the test asks for.
    pause: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    signal: ending.signal,
    idBitsLog2: 14,
    report: () => undefined,
    onFailure: (_, error) => expect.unreachable(String(error)),
  })
  const unread = { topic: CHANGES, partition: 0, from: 0, to: 1, signal: ending.signal }
  const stop = async (): Promise<void> => {
    ending.abort()
    await job.stopped()
  }
  return { job, owners, asked, unread, stop }
}

const here = during(started, ({ stop }) => stop())

test('changes are skipped while there is no owner, and the first owner waits until those are stored', async () => {
  const { job, owners, asked, unread } = here
  expect(await job.skips(unread)).toBe(true)
  expect(await job.skips({ ...unread, topic: TELEMETRY })).toBe(false)
  expect(asked).toEqual([])
  owners.push(OWNER)
  expect(await job.skips(unread)).toBe(false)
  expect(asked).toEqual(['read 0/0', 'stored 0', 'marks'])
})
