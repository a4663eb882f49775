/**
 * What a change costs the job that fires alerts: looking at it with no item, and with 10,000 items of a mix that 1,000
 * users of 300 customers have. The baseline is what the same observation costs the observation job, without any store;
 * reading the change is a cost of every job that follows them.
 * Run: npm run bench -- alerts [observations]
 */
import { alertFold } from '../../../pipelines/processors/casework/alert-fold.ts'
import { lookAt } from '../../../pipelines/processors/casework/look-at.ts'
import { applyBatch } from '../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../pipelines/processors/intelligence/changes.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import type { Content } from '../../../schemas/casework/casework.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { type GivenItem, watchedOf } from '../../builders/accounts/casework/watched.ts'
import { NOW, observation } from '../../builders/intelligence/observation.ts'
import { mixedSelector, octets, pick } from '../../builders/intelligence/selectors/mixed.ts'

const OBSERVATIONS = Number(process.argv[2] ?? 100_000)
const ITEMS = 10_000
const [USERS, CUSTOMERS] = [1_000, 300]
const ROUNDS = 5
const BATCH = 5_000
const RULES = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }

const entityOf = (n: number): { type: string; value: string } =>
  n % 2 === 0
    ? { type: 'domain', value: `evil${n}.example.net` }
    : { type: 'ip', value: `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7` }

/** Domains and addresses of a feed, each with two tags; half of them are said again, by another source. */
const observations = Array.from({ length: OBSERVATIONS }, (_, n): Observation => {
  const again = n % 2 === 1
  const { type, value } = entityOf(n >> 1)
  const tags = ['malware', `family-${n % 5_000}`]
  return observation({ type, value, tags, source: again ? 's2' : 's1', observedAt: NOW + n })
})

/** Most items are one's own: addresses, names, networks, entities under work; some are tags and whole kinds. */
const KINDS: readonly (readonly [share: number, of: (n: number) => Content])[] = [
  [20, (n) => ({ kind: 'value', value: `host${n}.team-${n % 700}.example` })],
  [10, (n) => ({ kind: 'value', value: entityOf(n * 3).value })],
  [10, (n) => ({ kind: 'entity', value: entityId('ip', `${octets(n)}.9`) })],
  [20, (n) => ({ kind: 'suffix', value: `team-${n}.example` })],
  [20, (n) => ({ kind: 'cidr', value: `${octets(n)}.0/24`, max_reputation: -1 })],
  [14, (n) => ({ kind: 'tag', value: pick([`family-${n}`, `actor-${n % 900}`], n), max_reputation: -2 })],
  [1, (n) => ({ kind: 'type', value: pick(['sha256', 'email-address', 'cve'], n) })],
  [5, (n) => ({ kind: 'selector', value: mixedSelector(n) })],
]
const slots = KINDS.flatMap(([share, of]) => Array.from({ length: share }, () => of))

const itemsOf = (count: number): GivenItem[] =>
  Array.from({ length: count }, (_, n) => {
    const user = n % USERS
    const groups = [customerGroup(`${user % CUSTOMERS}`), ...(user % 7 === 0 ? [`sector-${user % 5}`] : [])]
    return { watch: slots[(n * 37) % slots.length]!(n), groups }
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
  console.log(`${name.padEnd(44)} ${took.toFixed(3).padStart(7)} us  ${(took / base).toFixed(3)} of the baseline`)

const observed = batchesOf(observations.map(encodeObservation))

/** As the observation job does it, but for the store; what it gives is taken by `told`. */
function observe(told: (change: Buffer) => void): void {
  const states = new Map<string, EntityStates>()
  let offset = 0
  for (const batch of observed) {
    const positioned = batch.map((bytes) => {
      const o = decoded(decodeObservation, bytes)
      return { observation: o, partition: 0, offset: offset++, audience: audienceId(o.audience) }
    })
    const { changes, audiences, states: changed } = applyBatch(states, positioned, RULES)
    for (const [id, rows] of changed) states.set(id, rows)
    for (const change of changes) told(encodeChange(withGroups(change, audiences)))
  }
}

const baseline = micros(() => observe(() => undefined))
const bytes: Buffer[] = []
observe((change) => bytes.push(change))
print('baseline: an observation, without its store', baseline, baseline)
const told = batchesOf(bytes)
const reading = micros(() => {
  for (const batch of told) for (const one of batch) decoded(decodeChange, one)
})
print('reading its change, when there are items', reading, baseline)

const changes = bytes.map((one) => ({ change: decoded(decodeChange, one), time: NOW }))
for (const count of [0, 1, 1_000, ITEMS]) {
  const watched = watchedOf(itemsOf(count))
  let steps = 0
  const took = micros(() => {
    steps = 0
    const fold = alertFold()
    // With no item nothing is read, nor looked at.
    if (watched.index.size() === 0) return
    for (const one of changes)
      lookAt(
        one,
        watched,
        BUILT_IN,
        (step) => {
          steps++
          fold.add(step)
        },
        () => undefined,
      )
  })
  print(`looking at it with ${count} items`, took, baseline)
  console.log(`  ${(steps / OBSERVATIONS).toFixed(4)} steps an observation, ${watched.readers.size()} classes of users`)
}
