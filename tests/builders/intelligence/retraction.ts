import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { observation } from './observation.ts'

/** The record that takes back what a source said to an audience in [from, to], of one entity, by all that was said. */
export function retractionOf(
  all: readonly Observation[],
  { source, audience }: Pick<Observation, 'source' | 'audience'>,
  { from, to }: { from: number; to: number },
  observedAt: number,
): Observation {
  const before = all.filter(
    (o) =>
      o.source === source && o.audience.join() === audience.join() && o.observedAt < from && o.kind !== 'retraction',
  )
  const stated = before.filter((o) => o.reputation !== null)
  // Of one moment, what was said later.
  const last = stated.reduce((a, b) => (b.observedAt >= a.observedAt ? b : a), stated[0]!)
  const at = Math.max(...before.map((o) => o.observedAt))
  return observation({
    type: all[0]!.type,
    value: all[0]!.value,
    entityId: all[0]!.entityId,
    source,
    audience,
    observedAt,
    kind: 'retraction',
    sourceKind: last?.sourceKind ?? 'feed',
    reputation: last?.reputation ?? null,
    trust: last?.trust ?? 0.6,
    retracted: {
      from,
      to,
      held: before.length === 0 ? null : { claimedAt: last?.observedAt ?? 0, at },
      described: null,
    },
  })
}
