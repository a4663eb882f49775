import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import type { ObserveResult } from './observe-result.ts'
import { systemRecord } from './system-record.ts'

/**
 * The scoring rules became others: the rows of the entity have their new scores already, and count as touched since, so
 * that the change which this record gives is the last to say what they were before (ADR 271). null for rows of later
 * records, as for one that was delivered again.
 */
export function touch(states: EntityStates, offset: number): ObserveResult | null {
  const rows = states.filter(({ version }) => version <= offset).map((row) => ({ ...row, version: offset + 1 }))
  return rows.length === 0 ? null : { rows, kept: null }
}

/** A promotion of scoring rules: the generation that was made by them, and when it became live in unix milliseconds. */
export type Promotion = { database: string; at: number }

/** The record that tells of one entity that a promotion gave it another score; equal whenever it is sent. */
export const rescoredRecord = (
  entity: Pick<Observation, 'entityId' | 'type' | 'value'>,
  { database, at }: Promotion,
): Observation =>
  systemRecord(entity, {
    id: namedUuid(`rescored/${database}/${at}/${entity.entityId}`),
    submissionId: namedUuid(`rescored/${database}/${at}`),
    source: 'rescored',
    kind: 'rescored',
    observedAt: at,
  })
