/** The whole log through the pure rules where scoring rules were promoted on the way. */

import type { EventLog } from '../../../../connectors/log/port.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../pipelines/processors/intelligence/changes.ts'
import type { ObserveRules } from '../../../../pipelines/processors/intelligence/observe.ts'
import { rescoreRow } from '../../../../pipelines/processors/intelligence/rescore.ts'
import { rescoredRecord } from '../../../../pipelines/processors/intelligence/rescored.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import {
  type PromotedRules,
  type RulesChange,
  type RulesTimeline,
  rulesAt,
  timelineOf,
} from '../../../../schemas/intelligence/scoring/rules-timeline.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../../schemas/intelligence/state/stored.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { SCORING_RULES } from '../../../../schemas/log/topics.ts'
import { linesOf, recount, type Stored } from '../../history/stored.ts'
import { positioned, replayedChanges } from '../changes.ts'
import { HOUR, NOW, observation } from '../observation.ts'
import { everyRecord, replayed } from './replay.ts'

const decode = decoder<PromotedRules>(records.scoringRules, () => records.scoringRules)

/** Every promotion that the log tells of. Throws for what is none. */
export async function promotedIn(log: EventLog): Promise<PromotedRules[]> {
  const found = await everyRecord(log, SCORING_RULES)
  return found.map(({ value }) => {
    const decoded = decode(value ?? Buffer.alloc(0))
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.record
  })
}

/** A second copy of a record is that of the same promotion. */
export async function promotionsIn(log: EventLog): Promise<RulesTimeline> {
  const promoted = await promotedIn(log)
  return timelineOf([...new Map(promoted.map((one) => [`${one.database} ${one.at}`, one])).values()])
}

/** What is to be told of the last promotion before the record at this position; null: there was none. */
export function rulesChangeAt(promotions: RulesTimeline, partition: number, offset: number): RulesChange | null {
  const last = promotions.findLastIndex(({ from }) => (from.get(partition) ?? 0) <= offset)
  if (last < 0) return null
  const since: number[] = []
  for (const [at, first] of promotions[last]!.from) since[at] = first
  return { before: promotions[last - 1]?.rules ?? BUILT_IN, since }
}

/** What the stores must hold, and what must have been told: rows of before a promotion are scored again there. */
export function replayedUnder(
  observations: readonly Positioned[],
  promotions: RulesTimeline,
  observe: ObserveRules,
): { stored: Stored; changes: Change[] } {
  const states = new Map<string, EntityStates>()
  const audiences = new Map<bigint, readonly string[]>()
  const all = new Map<'history' | 'edges' | 'retractions', unknown[]>([
    ['history', []],
    ['edges', []],
    ['retractions', []],
  ])
  const changes: Change[] = []
  for (const record of observations) {
    const scoring = rulesAt(promotions, record.partition, record.offset)
    const rulesChange = rulesChangeAt(promotions, record.partition, record.offset)
    const { entityId } = record.observation
    const before = (states.get(entityId) ?? []).map((row) => rescoreRow(row, scoring))
    const applied = applyBatch(new Map([[entityId, before]]), [record], { ...observe, scoring, rulesChange })
    for (const [id, rows] of applied.states) states.set(id, rows)
    for (const [id, groups] of applied.audiences) audiences.set(id, groups)
    for (const [name, rows] of all) rows.push(...applied[name])
    changes.push(...applied.changes.map((told) => withGroups(told, audiences)))
  }
  const last = rulesAt(promotions, 0, Number.MAX_SAFE_INTEGER)
  const rows = [...states.values()].flat().map((row) => rescoreRow(row, last))
  const contents = { audiences, ...Object.fromEntries(all), entities: rows, deltas: recount(rows) }
  return { stored: linesOf(contents as unknown as Parameters<typeof linesOf>[0]), changes }
}

/** What follows from the log: at once where no rules were promoted, record by record where some were. */
export async function expectedOf(
  log: EventLog,
  observations: readonly Positioned[],
  observe: ObserveRules,
): Promise<{ stored: Stored; changes: Change[] }> {
  const promotions = await promotionsIn(log)
  if (promotions.length > 0) return replayedUnder(observations, promotions, observe)
  return { stored: replayed(observations, observe), changes: replayedChanges(observations, observe) }
}

/** The only partition of `positioned`. */
const PARTITION = 3

/** Rules from the first record on, and others from the record `at` on. */
export const promotedAt = (before: ScoringRules, after: ScoringRules, at: number): RulesTimeline => [
  { rules: before, from: new Map([[PARTITION, 0]]) },
  { rules: after, from: new Map([[PARTITION, at]]) },
]

/** What the command sends after a promotion for the entity of `given`; the built observation without. */
export const rescored = (given: Partial<Observation> = {}): Observation =>
  rescoredRecord(observation(given), { database: 'harrier_g1', at: NOW })

/** What is told of these records, the ones after the first `before.length` under other rules. */
export function changesUnder(
  [before, old]: readonly [readonly Partial<Observation>[], ScoringRules],
  [after, rules]: readonly [readonly Partial<Observation>[], ScoringRules],
): Change[] {
  const observe = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
  return replayedUnder(positioned([...before, ...after]), promotedAt(old, rules, before.length), observe).changes
}
