import type { SourceKind } from '../observations/observation.ts'

/**
 * What one source said to one audience between two points of a list of times, by the records that ended to count at one
 * and the same point, if ever. Times are unix milliseconds.
 */
export type Step = {
  kind: SourceKind
  /** Stated last; null: sightings alone. */
  reputation: number | null
  /** When that was stated, and where in the log: of two of one millisecond the later in the log counts. */
  statedAt: number
  statedOffset: number
  /** The last record. */
  last: number
  /** The first point, from 0, that has these records behind it. */
  point: number
  /** The first point at which they are taken back; Infinity: none. */
  gone: number
}

/** What of a claim a score needs, but for its trust. */
export type EffectiveClaim = { kind: SourceKind; reputation: number | null; at: number }

/** At most so many times (unix milliseconds) at equal distances after `from`, the last of them `to`. */
export function pointsBetween(from: number, to: number, points: number): number[] {
  const times = Array.from({ length: points }, (_, i) => Math.round(from + ((i + 1) * (to - from)) / points))
  return [...new Set(times)]
}

/** What a source holds at a point by its steps, in any order; null: nothing that counts. */
export function effectiveClaimAt(steps: readonly Step[], point: number): EffectiveClaim | null {
  let effective: Step | null = null
  let at = -1
  for (const step of steps) {
    if (step.point > point || step.gone <= point) continue
    at = Math.max(at, step.last)
    if (effective === null || isStatedAfter(step, effective)) effective = step
  }
  return effective && { kind: effective.kind, reputation: effective.reputation, at }
}

function isStatedAfter(a: Step, b: Step): boolean {
  if (a.reputation === null || b.reputation === null) return b.reputation === null && a.reputation !== null
  return a.statedAt - b.statedAt > 0 || (a.statedAt === b.statedAt && a.statedOffset > b.statedOffset)
}
