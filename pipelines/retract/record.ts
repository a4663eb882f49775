import { randomUUIDv7 } from 'node:crypto'
import type { HeldBefore, Reported } from '../../connectors/history/port.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import type { Claim } from '../../schemas/intelligence/state/entity-state.ts'

export type TimeWindow = { from: number; to: number }

/** The record that takes back what the source of a claim said in the window; `now` in unix milliseconds. */
export function retractionRecord(
  { entityId, type, value }: Reported,
  audience: readonly string[],
  claim: Claim,
  { from, to }: TimeWindow,
  held: HeldBefore | null,
  { run, now }: { run: string; now: number },
): Observation {
  return {
    id: randomUUIDv7(),
    submissionId: run,
    entityId,
    type,
    value,
    attributes: {},
    reputation: held?.reputation ?? null,
    tags: [],
    links: [],
    audience: [...audience],
    userId: claim.source,
    source: claim.source,
    sourceKind: held?.sourceKind ?? claim.kind,
    // The trust of a source stands in no history record.
    trust: claim.trust,
    kind: 'retraction',
    observedAt: now,
    covers: false,
    retracted: { from, to, held: held === null ? null : { claimedAt: held.claimedAt, at: held.at } },
  }
}
