import { expect, test } from 'vitest'
import type { Batch, LogMessage } from '../../../../../connectors/log/port.ts'
import type { NewScan } from '../../../../../connectors/postgres/scans/port.ts'
import { type AutomaticOutcome, automaticScanJob } from '../../../../../pipelines/jobs/scans/automatic-scans.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { CHANGES, deadTopic } from '../../../../../schemas/log/topics.ts'
import { SYSTEM_USER } from '../../../../../schemas/scans/scan.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

const encode = encoder<Change>(records.change, 1)
const registry = { schema: async () => records.change, known: () => records.change } as never
const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const MINUTE = 60_000

const created = (value: string, given: Partial<Observation> = {}): Change => {
  const type = /^[\d.]+$/.test(value) ? 'ip' : 'domain'
  return replayedChanges(positioned([{ type, value, ...given }]), rules)[0]!
}

/** The change of a second report, with another reputation. */
const scored = (value: string): Change => replayedChanges(positioned([{ value }, { value, reputation: 1 }]), rules)[1]!

const messageOf = (change: Change | null, timestamp = NOW): LogMessage => ({
  offset: 0,
  timestamp,
  key: null,
  value: change === null ? Buffer.from('no record') : encode(change),
  headers: {},
})

/** The job over tasks in memory and a clock that only its pauses move. */
function started({ allowPrivate = false } = {}) {
  let now = NOW
  const scheduled: NewScan[] = []
  const outcomes: AutomaticOutcome[] = []
  const failures: Error[] = []
  const stopping = new AbortController()
  const state = {
    oldest: null as number | null,
    failing: 0,
    /** Called at every pause. */
    onPause: (): void => undefined,
  }
  const log = memoryLog()
  const job = automaticScanJob(
    {
      log,
      registry,
      scans: {
        async schedule(scan) {
          if (state.failing-- > 0) throw new Error('the database went away')
          const lives = scheduled.some((s) => s.userId === scan.userId && s.target.value === scan.target.value)
          if (!lives) scheduled.push(scan)
          return { created: !lives, scan: { id: scan.id, status: 'new' } }
        },
        backlog: async () => ({ states: {} as never, oldest: { user: 0, automatic: state.oldest } }),
      },
      now: () => now,
      newId: () => '019b0000-0000-7000-8000-000000000001',
      pause: async (ms) => {
        now += ms
        state.onPause()
      },
      onScan: (outcome) => outcomes.push(outcome),
      onFailure: (error) => failures.push(error as Error),
    },
    { allowPrivate },
  )
  const batch = (messages: LogMessage[]): Batch => ({
    topic: CHANGES,
    partition: 0,
    messages,
    from: 0,
    to: messages.length,
    note: '',
    redelivered: false,
    highWatermark: messages.length,
    signal: stopping.signal,
  })
  const handed = (...changes: (Change | null)[]) => job.eachBatch(batch(changes.map((c) => messageOf(c))))
  const set = (at: number): void => {
    now = at
  }
  return { state, scheduled, outcomes, failures, log, stopping, job, batch, handed, now: () => now, set }
}

test('new addresses and domains are scanned for those who may know of them', async () => {
  const { handed, scheduled, outcomes } = started()
  await handed(created('8.8.8.8'), created('example.com', { audience: ['blue', 'red'] }))
  expect(scheduled).toMatchObject([
    { target: { kind: 'ip', value: '8.8.8.8' }, priority: 'automatic', userId: SYSTEM_USER, audience: ['public'] },
    { target: { kind: 'domain', value: 'example.com' }, account: false, webhook: null, audience: ['blue', 'red'] },
  ])
  expect(outcomes).toEqual(['scheduled', 'scheduled'])
})

const ignored: [string, Change][] = [
  ['what a scan found itself', created('8.8.8.8', { sourceKind: 'scan' })],
  ['another score', scored('8.8.8.8')],
  ['another type', created('8.8.8.8', { type: 'url', value: 'https://example.com/' })],
  ['an address that is not public', created('10.0.0.1')],
  ['a name of a local network', created('printer.local')],
]
for (const [name, change] of ignored)
  test(`${name} calls for no scan`, async () => {
    const { handed, scheduled } = started()
    await handed(change)
    expect(scheduled).toEqual([])
  })

test('addresses that are not public are scanned where that is allowed', async () => {
  const { handed, scheduled } = started({ allowPrivate: true })
  await handed(created('10.0.0.1'))
  expect(scheduled).toHaveLength(1)
})

test('a target is scanned once for an audience, and for another one as if the first were not', async () => {
  const { handed, scheduled, outcomes } = started()
  await handed(created('8.8.8.8', { audience: ['blue'] }), created('8.8.8.8', { audience: ['blue'] }))
  await handed(created('8.8.8.8'), created('8.8.8.8', { audience: ['blue', 'red'] }))
  expect(outcomes).toEqual(['scheduled', 'met', 'scheduled', 'scheduled'])
  expect(new Set(scheduled.map(({ userId }) => userId)).size).toBe(3)
})

test('one scan a second is scheduled, and what is met takes no turn', async () => {
  const { handed, scheduled } = started()
  const hosts = Array.from({ length: 61 }, (_, i) => created(`8.8.8.${i}`))
  await handed(...hosts.flatMap((host) => [host, host, host]))
  const times = scheduled.map(({ createdAt }) => createdAt)
  expect(times).toEqual(hosts.map((_, i) => NOW + i * 1_000))
})

test('a clock that is set back by hours holds up no scan', async () => {
  const { handed, scheduled, set, now } = started()
  await handed(created('8.8.8.8'), created('8.8.8.9'))
  set(NOW - 3 * HOUR)
  await handed(created('8.8.4.4'), created('8.8.4.5'))
  expect(scheduled).toHaveLength(4)
  expect(now()).toBe(NOW - 3 * HOUR + 1_000)
})

test('partitions share the rate', async () => {
  const { handed, scheduled } = started()
  await Promise.all([0, 1].map((p) => handed(...[1, 2, 3].map((i) => created(`8.8.${p}.${i}`)))))
  expect(scheduled.at(-1)!.createdAt).toBeGreaterThanOrEqual(NOW + 5_000)
})

test('what waited for longer than a day is passed over', async () => {
  const { job, batch, scheduled, outcomes } = started()
  const old = messageOf(created('8.8.8.8'), NOW - 24 * HOUR - 1)
  await job.eachBatch(batch([old, messageOf(created('8.8.4.4'), NOW - 24 * HOUR + 1)]))
  expect(outcomes).toEqual(['late', 'scheduled'])
  expect(scheduled.map(({ target }) => target.value)).toEqual(['8.8.4.4'])
})

test('nothing is scheduled while workers are ten minutes behind', async () => {
  const { state, handed, scheduled, now } = started()
  state.oldest = NOW - 10 * MINUTE
  state.onPause = () => {
    if (now() >= NOW + 2 * MINUTE) state.oldest = null
    else expect(scheduled).toEqual([])
  }
  await handed(created('8.8.8.8'))
  expect(scheduled[0]!.createdAt).toBe(NOW + 2 * MINUTE)
})

test('a database that went away is asked again, and no change is lost or scheduled twice', async () => {
  const { state, handed, scheduled, failures, outcomes } = started()
  state.failing = 2
  await handed(created('8.8.8.8'), created('8.8.4.4'))
  expect(failures.map(({ message }) => message)).toEqual(Array(2).fill('the database went away'))
  expect(scheduled.map(({ target }) => target.value)).toEqual(['8.8.8.8', '8.8.4.4'])
  expect(outcomes).toEqual(['scheduled', 'scheduled'])
})

test('a job that is stopped while it waits commits nothing, and another one goes on where it stopped', async () => {
  const { state, stopping, handed, scheduled, now } = started()
  state.onPause = () => now() >= NOW + 2_000 && stopping.abort()
  await expect(handed(...[1, 2, 3, 4, 5].map((i) => created(`8.8.8.${i}`)))).rejects.toThrow()
  expect(scheduled).toHaveLength(2)
})

test('what cannot be read goes to the dead letters with the reason', async () => {
  const { handed, log, scheduled } = started()
  await handed(null, created('8.8.8.8'))
  expect(log.sends.flat()).toMatchObject([{ topic: deadTopic(CHANGES), headers: { 'dead-offset': '0' } }])
  expect(scheduled).toHaveLength(1)
})
