/** The whole log through the pure rules, in memory: the model that every store is compared with (ADR 60). */

import { partitionOf } from '../../../../connectors/log/partitioner.ts'
import type { EventLog, LogMessage } from '../../../../connectors/log/port.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import type { ObserveRules } from '../../../../pipelines/processors/intelligence/observe.ts'
import { faultOf, placeFault } from '../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Positioned } from '../../../../schemas/intelligence/state/stored.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { linesOf, recount, type Stored } from '../../history/stored.ts'

const STEP = 10_000

/** Every record of a topic, partition by partition. */
export async function everyRecord(
  log: Pick<EventLog, 'offsets' | 'read'>,
  topic: string,
): Promise<(LogMessage & { partition: number })[]> {
  const found: (LogMessage & { partition: number })[] = []
  for (const { partition, low, high } of await log.offsets(topic))
    for (let next = low; next < high; ) {
      const messages = await log.read(topic, partition, next, high, STEP)
      for (const message of messages) found.push({ ...message, partition })
      next = (messages.at(-1)?.offset ?? high) + 1
    }
  return found
}

const decode = decoder<Observation>(records.observation, (id) => (id < 1000 ? records.observation : undefined))

/** The usable observations of the log; what cannot be used belongs to the dead letters. */
export async function observationsOf(log: EventLog): Promise<Positioned[]> {
  const usable: Positioned[] = []
  const partitions = (await log.offsets(OBSERVATIONS)).length
  for (const { key, value, timestamp, partition, offset } of await everyRecord(log, OBSERVATIONS)) {
    const decoded = value === null ? null : decode(value)
    if (decoded === null || !decoded.ok) continue
    const observation = decoded.record
    const home = key === null ? partition : partitionOf(key, partitions)
    if (faultOf(observation, timestamp) ?? placeFault(observation, key, partition, home)) continue
    usable.push({ observation, partition, offset, audience: audienceId(observation.audience), loggedAt: timestamp })
  }
  return usable
}

/** What the stores must hold once these were applied in log order. */
export function replayed(observations: readonly Positioned[], rules: ObserveRules): Stored {
  const { history, states, edges, audiences, retractions } = applyBatch(new Map(), observations, rules)
  const rows = [...states.values()].flat()
  return linesOf({ audiences, history, edges, deltas: recount(rows), retractions, entities: rows })
}
