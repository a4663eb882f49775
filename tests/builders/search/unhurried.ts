import type { SearchBounds } from '../../../api/intelligence/services/search/search-bounds.ts'

const lane = { atOnce: 1, atOnceOfOne: 1, waitMs: 60_000, waiting: 1, waitingOfOne: 1, threads: 1, nice: 0 }

/** Bounds that a test does not reach. */
export const UNHURRIED: SearchBounds = { light: lane, heavy: lane, milliseconds: 60_000 }

/** One caller that stays. */
export const ALONE = { caller: 'caller', weight: 'light', gone: new AbortController().signal } as const
