import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { type AppliedBatch, applyBatch } from '../../../pipelines/processors/intelligence/apply-batch.ts'
import type { ObserveRules } from '../../../pipelines/processors/intelligence/observe.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'

/** Rules that repeat nothing and know no place. */
export const PLAIN_RULES: ObserveRules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }

/** Observations as records of partition 0, from an offset on. */
export const recordsFrom = (offset: number, observations: readonly Observation[]): Positioned[] =>
  observations.map((observation, i) => ({
    observation,
    partition: 0,
    offset: offset + i,
    audience: audienceId(observation.audience),
  }))

/** Writes everything that follows from a batch, in the order of the observation job. */
export async function storeApplied(history: History, applied: AppliedBatch, token = 'all'): Promise<void> {
  const job = observationStore(history)
  await job.audiences(applied.audiences, token)
  await job.history(applied.history, token)
  await job.associations(applied.edges, token)
  await job.counts(applied.deltas, token)
  await job.retractions(applied.retractions, token)
  await job.entities(applied.rows, token)
}

/** Applies observations to the rows that are stored, batch after batch, as the observation job does. */
export function observing(
  history: History,
  rules = PLAIN_RULES,
): (observations: readonly Observation[]) => Promise<void> {
  let offset = 0
  return async (observations) => {
    const records = recordsFrom(offset, observations)
    const ids = [...new Set(observations.map(({ entityId }) => entityId))]
    const states: Map<string, EntityStates> = Map.groupBy(
      await observationStore(history).rowsOf(ids),
      ({ entityId }) => entityId,
    )
    await storeApplied(history, applyBatch(states, records, rules), `batch:${offset}`)
    offset += records.length
  }
}
