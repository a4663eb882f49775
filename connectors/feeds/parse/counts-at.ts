import type { AcceptedItem } from './item.ts'

/** Lower ends of the steps and the share of the feed's trust that a claim of that step has, the surest first. */
const STEPS = [
  { from: 70, weight: 1 },
  { from: 30, weight: 0.8 },
  { from: 1, weight: 0.5 },
] as const

/**
 * The share of its feed's trust that a claim has by the confidence of its producer, 0..100, in the steps of the STIX
 * scale: high (70 to 100, told as 85) all of it, medium (30 to 69, told as 50) 0.8, low (1 to 29, told as 15) 0.5. 0 is
 * no confidence at all: no claim (decisions 15.3; ADR 273).
 */
export const weightOfConfidence = (confidence: number): number =>
  STEPS.find(({ from }) => confidence >= from)?.weight ?? 0

/** What an item counts for at a moment. */
export type Counting = {
  /** Share of the trust of the source that the claim has: above 0, at most 1. */
  weight: number
  /** Whether its reputation is claimed at that moment; otherwise the entity was only seen. */
  isClaim: boolean
  /** When it was seen, unix milliseconds. */
  at: number
}

/**
 * An observation of the past is dated to its own time, but not earlier than this before the import: a block of the
 * history store covers a bounded number of months.
 */
const MAX_AGE_MS = 1_000 * 86_400_000

/**
 * What an item counts for at `now`, unix milliseconds: by the confidence of its producer, and by the time between which the
 * producer's claim holds. What is not valid any more was seen when it was valid last, and refreshes nothing since
 * (decisions 15.3; ADR 273).
 */
export function countsAt(
  {
    confidence,
    validFrom,
    validUntil,
    seenAt,
  }: Pick<AcceptedItem, 'confidence' | 'validFrom' | 'validUntil' | 'seenAt'>,
  now: number,
): Counting {
  const weight = confidence === undefined ? 1 : weightOfConfidence(confidence)
  const isOver = validUntil !== undefined && validUntil <= now
  const at = seenAt ?? (isOver ? validUntil : now)
  return {
    weight: weight || 1,
    isClaim: weight > 0 && !isOver && (validFrom === undefined || validFrom <= now),
    at: Math.min(Math.max(at, now - MAX_AGE_MS), now),
  }
}
