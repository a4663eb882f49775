import type { Selector } from '../intelligence/selectors/selector.ts'

/** When a step is too large to go out by itself (decisions 11.4). */
export type FeedGuard = {
  /** Share of the list, 0 to 1, that may be lost within a minute. */
  readonly loss: number
  /** Factor by which the list may grow within a minute. */
  readonly gain: number
  /** Lists of fewer items are not guarded. */
  readonly from: number
}

export const DEFAULT_GUARD: FeedGuard = { loss: 0.5, gain: 4, from: 100 }

/** What a feed that leaves the platform is made of (decisions 11.1). */
export type Feed = {
  /** UUID. */
  readonly id: string
  readonly name: string
  readonly selector: Selector
  /** Its reader is somebody in all of these groups, sorted; they never change. */
  readonly groups: readonly string[]
  /** Most items; null: all. */
  readonly cap: number | null
  /** null: no step is held. */
  readonly guard: FeedGuard | null
  /** 1, and one more with every change of the feed. */
  readonly revision: number
}

/**
 * Whether the reader of a feed reads what this audience may read: everybody reads what is public, and each group adds to
 * it (decisions 2.3).
 */
export const readerOf =
  (groups: readonly string[]) =>
  (audience: readonly string[]): boolean =>
    audience.some((group) => group === 'public' || groups.includes(group))
