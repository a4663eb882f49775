import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { viewChange } from '../../../schemas/intelligence/state/view-change.ts'
import { type FeedStep, stepOf } from '../../processors/feeds-out/step.ts'
import type { KnownFeed, KnownFeeds, ReaderFeeds } from './known-feeds.ts'

/** Steps by feed, in the order of the log. */
export type FeedSteps = Map<KnownFeed, FeedStep[]>

export function addStep(steps: FeedSteps, known: KnownFeed, step: FeedStep): void {
  const those = steps.get(known)
  if (those === undefined) steps.set(known, [step])
  else those.push(step)
}

/** Whether this feed has looked at the change, or at rows that were stored after it. */
export const isApplied = ({ head }: KnownFeed, { partition, offset }: Change): boolean =>
  offset < (head.applied[partition] ?? 0)

/**
 * How far changes were looked at when these heads were stored, by partition of the observations. A step is looked at by all
 * feeds and stored as a whole, so what one head says holds for all. What was sent again after a crash may come long after
 * a restart: a job that began without these positions would take it for new.
 */
export function appliedIn(heads: readonly Pick<FeedHead, 'applied'>[]): Record<number, number> {
  const furthest: Record<number, number> = {}
  for (const { applied } of heads)
    for (const [partition, offset] of Object.entries(applied))
      furthest[Number(partition)] = Math.max(furthest[Number(partition)] ?? 0, offset)
  return furthest
}

/**
 * Adds what a change is to every feed that it could concern.
 * @param time of the record in the log
 * @returns readers of several rows that the change does not carry: their views are to be read where they are stored
 */
export function addStepsOf(
  steps: FeedSteps,
  feeds: KnownFeeds,
  change: Change,
  time: number,
  rules: ScoringRules,
): ReaderFeeds[] {
  const wide: ReaderFeeds[] = []
  for (const reader of feeds.readers()) {
    const seen = viewChange(change, reader.reads, rules)
    if (seen === null) continue
    if (seen === 'wide') {
      wide.push(reader)
      continue
    }
    const found = new Set(reader.index.candidates(seen.after))
    if (seen.before !== null) for (const known of reader.index.candidates(seen.before)) found.add(known)
    for (const known of found) {
      if (isApplied(known, change)) continue
      const step = stepOf(known.selector, seen, time, change.observedAt)
      if (step !== null) addStep(steps, known, step)
    }
  }
  return wide
}
