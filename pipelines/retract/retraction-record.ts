import { randomUUIDv7 } from 'node:crypto'
import type { HeldBefore, Reported } from '../../connectors/history/port.ts'
import type { Observation, Undescribed } from '../../schemas/intelligence/observations/observation.ts'
import type { Claim } from '../../schemas/intelligence/state/entity-state.ts'

export type TimeWindow = { from: number; to: number }

/** Before anything that any source said: the window of a record that takes descriptions alone (ADR 270). */
const NOTHING: TimeWindow = { from: 1, to: 1 }

export type RetractionParts = {
  /** What the source claims of it; null: only descriptions are left to take. */
  claim: Claim | null
  held: HeldBefore | null
  described: Undescribed | null
}

/**
 * The record that retracts what the source of a claim stated in the window, and takes what no other report gives; `now` in
 * unix milliseconds.
 */
export function retractionRecord(
  { entityId, type, value }: Reported,
  audience: readonly string[],
  source: string,
  { claim, held, described }: RetractionParts,
  window: TimeWindow,
  { run, now }: { run: string; now: number },
): Observation {
  const { from, to } = claim === null ? NOTHING : window
  const before = claim === null ? null : held
  return {
    id: randomUUIDv7(),
    submissionId: run,
    entityId,
    type,
    value,
    attributes: {},
    reputation: before?.reputation ?? null,
    tags: [],
    links: [],
    audience: [...audience],
    userId: source,
    source,
    sourceKind: before?.sourceKind ?? claim?.kind ?? 'feed',
    // The trust of a source stands in no history record.
    trust: claim?.trust ?? 1,
    kind: 'retraction',
    observedAt: now,
    covers: false,
    retracted: { from, to, held: before === null ? null : { claimedAt: before.claimedAt, at: before.at }, described },
    verdict: null,
    covered: false,
  }
}
