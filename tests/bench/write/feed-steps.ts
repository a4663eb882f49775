/**
 * What a change costs the job that keeps the lists of feeds: reading it, and looking at it for 1, 100 and 1,000 feeds of a
 * mix. The baseline is what the same observation costs the observation job, without any store.
 * Run: npm run bench -- feed-steps [observations]
 */
import { knownFeeds } from '../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { stepsOf } from '../../../pipelines/jobs/feeds-out/steps-of-change.ts'
import { applyBatch } from '../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../pipelines/processors/intelligence/changes.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { NOW, observation } from '../../builders/intelligence/observation.ts'
import { mixedSelector } from '../../builders/intelligence/selectors/mixed.ts'
import { selectorOf } from '../../builders/intelligence/selectors/view.ts'

const OBSERVATIONS = Number(process.argv[2] ?? 100_000)
const ROUNDS = 5
const BATCH = 5_000
const RULES = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }

/** Domains and addresses of a feed, each with two tags. */
const observations = Array.from({ length: OBSERVATIONS }, (_, n): Observation => {
  const value = n % 2 === 0 ? `evil${n}.example.net` : `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
  return observation({
    type: n % 2 === 0 ? 'domain' : 'ip',
    value,
    tags: ['malware', `family-${n % 5_000}`],
    observedAt: NOW,
  })
})
const encodeObservation = encoder<Observation>(records.observation, 1)
const decodeObservation = decoder<Observation>(records.observation, () => records.observation)
const encodeChange = encoder<Change>(records.change, 1)
const decodeChange = decoder<Change>(records.change, () => records.change)

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) => all.slice(n * BATCH, (n + 1) * BATCH))

function decoded<T>(
  decode: (bytes: Buffer) => { ok: true; record: T } | { ok: false; reason: string },
  bytes: Buffer,
): T {
  const found = decode(bytes)
  if (!found.ok) throw new Error(found.reason)
  return found.record
}

/** CPU microseconds of each observation: the least of some rounds, after one that is not counted. */
function micros(run: () => void): number {
  let least = Infinity
  for (let round = -1; round < ROUNDS; round++) {
    const from = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(from)
    if (round >= 0) least = Math.min(least, (user + system) / OBSERVATIONS)
  }
  return least
}

const print = (name: string, took: number, base: number): void =>
  console.log(`${name.padEnd(44)} ${took.toFixed(2).padStart(7)} us  ${(took / base).toFixed(2)} of the baseline`)

const observed = batchesOf(observations.map(encodeObservation))
const changes: Buffer[] = []
let offset = 0
const applied = (batch: readonly Buffer[]) =>
  applyBatch(
    new Map(),
    batch.map((bytes) => {
      const o = decoded(decodeObservation, bytes)
      return { observation: o, partition: 0, offset: offset++, audience: audienceId(o.audience) }
    }),
    RULES,
  )
const baseline = micros(() => {
  offset = 0
  for (const batch of observed) {
    const { changes, audiences } = applied(batch)
    for (const change of changes) encodeChange(withGroups(change, audiences))
  }
})
offset = 0
for (const batch of observed) {
  const { changes: those, audiences } = applied(batch)
  for (const change of those) changes.push(encodeChange(withGroups(change, audiences)))
}
print('baseline: an observation, without its store', baseline, baseline)
const told = batchesOf(changes)
print(
  'reading its change',
  micros(() => {
    for (const batch of told) for (const bytes of batch) decoded(decodeChange, bytes)
  }),
  baseline,
)

function feedsOf(count: number) {
  const feeds = knownFeeds()
  for (let n = 0; n < count; n++) {
    const feed = { id: `feed-${n}`, groups: ['public'], selector: selectorOf(mixedSelector(n)) }
    feeds.add({ feed, epoch: 1, applied: {} } as unknown as FeedHead)
  }
  return feeds
}

const read = told.map((batch) => batch.map((bytes) => ({ change: decoded(decodeChange, bytes), time: NOW })))
for (const count of [1, 100, 1_000]) {
  const feeds = feedsOf(count)
  let steps = 0
  const took = micros(() => {
    steps = 0
    for (const batch of read)
      for (const those of stepsOf([{ records: batch }], feeds, BUILT_IN).steps.values()) steps += those.length
  })
  print(`looking at it for ${count} feeds`, took, baseline)
  console.log(`  ${(steps / OBSERVATIONS).toFixed(3)} steps a change`)
}
