/** What benchmarks of jobs that follow the changes share: observations, what they cost, and the changes that they make. */

import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../pipelines/processors/intelligence/changes.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import { decoder, encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'

const ROUNDS = 5
const BATCH = 5_000
const RULES = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }

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

/** The nth entity: domains and addresses in turn. */
export const entityOf = (n: number): { type: string; value: string } =>
  n % 2 === 0
    ? { type: 'domain', value: `evil${n}.example.net` }
    : { type: 'ip', value: `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7` }

/**
 * Prints the baseline, an observation as the observation job takes it but for its store, and what reading its change
 * costs; returns the changes in batches, and a measure beside the baseline.
 */
export function changesOf(observations: readonly Observation[]) {
  /** CPU microseconds of each observation: the least of some rounds, after one that is not counted. */
  function micros(run: () => void): number {
    let least = Infinity
    for (let round = -1; round < ROUNDS; round++) {
      const from = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(from)
      if (round >= 0) least = Math.min(least, (user + system) / observations.length)
    }
    return least
  }

  const observed = batchesOf(observations.map(encodeObservation))
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
  /** Prints what the run costs for each observation. */
  function measure(name: string, run: () => void): void {
    print(name, micros(run))
  }
  const print = (name: string, took: number): void =>
    console.log(`${name.padEnd(44)} ${took.toFixed(3).padStart(7)} us  ${(took / baseline).toFixed(3)} of the baseline`)

  print('baseline: an observation, without its store', baseline)
  const bytes: Buffer[] = []
  observe((change) => bytes.push(change))
  const told = batchesOf(bytes)
  measure('reading its change', () => {
    for (const batch of told) for (const one of batch) decoded(decodeChange, one)
  })
  const batches = told.map((batch) => batch.map((one) => decoded(decodeChange, one)))
  return { batches, measure }
}
