import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { type ViewChange, viewChange, withoutRescoring } from '../../../schemas/intelligence/state/view-change.ts'
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

/** A change and when it was appended, unix milliseconds. */
export type TimedChange = { change: Change; time: number }

/** Changes of one partition of the log, as they stand in it. */
export type ChangeBatch = { records: readonly TimedChange[] }

/** A change of an entity whose rows it does not carry, to a reader of several: its view is to be read where it is stored. */
export type WideChange = { reader: ReaderFeeds; one: TimedChange }

/** A step and its place among those of all partitions: by time, and never against the order of its partition. */
type PlacedStep = { step: FeedStep; at: number; offset: number }

/**
 * What changes are to every feed that they could concern: the steps of each feed in the order of the log, by time, then by
 * entity. Few changes concern a feed, so steps are ordered, not changes.
 */
export function stepsOf(
  batches: readonly ChangeBatch[],
  feeds: KnownFeeds,
  rules: ScoringRules,
): { steps: FeedSteps; wide: WideChange[] } {
  const placed = new Map<KnownFeed, PlacedStep[]>()
  const wide: WideChange[] = []
  const readers = [...feeds.readers()]
  for (const { records } of batches) {
    let at = 0
    for (const one of records) {
      const { change, time } = one
      at = Math.max(at, time)
      // Lists are made anew where the scoring rules are others; a step beside that would be a second one (ADR 271).
      if (change.cause === 'rescored') continue
      const present = withoutRescoring(change)
      for (const reader of readers) {
        const seen = viewChange(present, reader.reads, rules)
        if (seen === null) continue
        if (seen === 'wide') wide.push({ reader, one })
        else if (!seen.linksAlone) placeSteps(placed, reader, seen, one, at)
      }
    }
  }
  const steps: FeedSteps = new Map()
  for (const [known, those] of placed)
    steps.set(
      known,
      those.sort(byPlace).map(({ step }) => step),
    )
  return { steps, wide: wide.sort((a, b) => a.one.time - b.one.time) }
}

function placeSteps(
  placed: Map<KnownFeed, PlacedStep[]>,
  { index }: ReaderFeeds,
  seen: ViewChange,
  { change, time }: TimedChange,
  at: number,
): void {
  const found = index.candidates(seen.after)
  const place = (known: KnownFeed): void => {
    if (isApplied(known, change)) return
    const step = stepOf(known.selector, seen, time, change.observedAt)
    if (step === null) return
    const one = { step, at, offset: change.offset }
    const those = placed.get(known)
    if (those === undefined) placed.set(known, [one])
    else those.push(one)
  }
  for (const known of found) place(known)
  if (seen.before === null) return
  const once = new Set(found)
  for (const known of index.candidates(seen.before)) if (!once.has(known)) place(known)
}

const byPlace = (a: PlacedStep, b: PlacedStep): number => {
  if (a.at !== b.at) return a.at - b.at
  if (a.step.entityId === b.step.entityId) return a.offset - b.offset
  return a.step.entityId < b.step.entityId ? -1 : 1
}
