import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import { heldAt } from '../../../../schemas/intelligence/state/verdict.ts'
import { isCovered } from '../marks/marks.ts'
import type { ObserveResult, ObserveRules } from '../observe-result.ts'
import { asItCounts } from './described.ts'
import { scoreColumns } from './score-columns.ts'

/**
 * A customer decides what its members are shown of an entity, or takes that back (decisions 17.1): the row of its
 * audience gets the verdict beside its claims, or a row for the verdict alone. It is no sighting: the times of the row
 * stay. null when there is nothing to take back, and for a verdict that ended before it came.
 */
export function judge(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  at: { partition: number; offset: number },
  { scoring }: Pick<ObserveRules, 'scoring'>,
): ObserveResult | null {
  const before = states.find((row) => row.audience === audience)
  if (before !== undefined && before.version > at.offset) return null
  const { reputation, observedAt } = o
  const given = reputation === null ? null : { reputation, at: observedAt, until: o.verdict!.until }
  const verdict = heldAt(given, observedAt)
  if (verdict === null && (before?.verdict ?? null) === null) return null
  const { partition, offset } = at
  const row = {
    ...(before ?? emptyRow(states, o, audience)),
    ...timesOf(before, observedAt),
    partition,
    verdict,
    retracted: false,
  }
  const after = asItCounts({
    ...row,
    ...scoreColumns(row.type, row.claims, Math.max(row.scoredAt, observedAt), row, scoring),
    version: offset + 1,
  })
  return { rows: [after], kept: { accuracy: after.accuracy } }
}

/** Of a row that only matches made the verdict is the beginning: they say no more than when it was seen (ADR 219). */
function timesOf(row: EntityState | undefined, at: number): Partial<Pick<EntityState, 'firstSeen' | 'lastSeen'>> {
  if (row === undefined || !(row.met && row.retracted)) return {}
  return { firstSeen: at, lastSeen: Math.max(row.lastSeen, at) }
}

/** Of an audience that nothing was reported to; marks hold for every audience. */
export const emptyRow = (states: EntityStates, o: Observation, audience: bigint): EntityState => ({
  entityId: o.entityId,
  type: o.type,
  value: o.value,
  audience,
  partition: 0,
  version: 0,
  reputation: 0,
  accuracy: 0,
  best: 0,
  worst: 0,
  sources: 0,
  wellKnown: states.some((row) => row.wellKnown),
  covered: isCovered(states, audience, o),
  covers: false,
  cleared: false,
  retracted: false,
  met: false,
  verdict: null,
  tags: [],
  lostTags: [],
  attributes: {},
  attributeTimes: {},
  country: '',
  asn: 0,
  aso: '',
  firstSeen: o.observedAt,
  lastSeen: o.observedAt,
  scoredAt: o.observedAt,
  due: 0,
  claims: [],
})
