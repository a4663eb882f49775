import type { EntityState } from '../state/entity-state.ts'
import { BUILT_IN, rulesIn, type ScoringRules } from './rules.ts'

/** A record of `scoring.rules`: rules that were promoted, and the first record of each partition that they hold for. */
export type PromotedRules = {
  /** The generation that was scored by them. */
  database: string
  /** JSON, as the pointer carries it. */
  rules: string
  /** Unix milliseconds. */
  at: number
  from: readonly { partition: number; offset: number }[]
}

/** Rules in the order in which they were promoted. */
export type RulesTimeline = readonly { rules: ScoringRules; from: ReadonlyMap<number, number> }[]

/** @throws BadRules when a record holds no rules */
export const timelineOf = (records: readonly PromotedRules[]): RulesTimeline =>
  records.map(({ rules, from }) => ({
    rules: rulesIn(rules),
    from: new Map(from.map(({ partition, offset }) => [partition, offset])),
  }))

/**
 * The last change of the rules, whose effect is told entity by entity: `since` has, by partition, the first offset for which
 * the present rules hold (ADR 271).
 */
export type RulesChange = { before: ScoringRules; since: readonly number[] }

/** Whether no record touched a row since the rules changed: whoever reads it was told of it under the rules of before. */
export const isUntouched = (
  { version, partition }: Pick<EntityState, 'version' | 'partition'>,
  { since }: Pick<RulesChange, 'since'>,
): boolean => version <= (since[partition] ?? 0)

/**
 * The rules that hold for the record of entity.observations at this position: the last that were promoted at or before
 * it. A partition that was not there at a promotion was empty, so the rules hold for all of it.
 */
export function rulesAt(timeline: RulesTimeline, partition: number, offset: number): ScoringRules {
  return timeline.findLast(({ from }) => (from.get(partition) ?? 0) <= offset)?.rules ?? BUILT_IN
}
