import { promiseCache } from '../../../../platform/promise-cache.ts'
import { dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import type { Reader } from '../readers.ts'
import type { Analytics, Attribution, Overview } from './analytics.ts'
import type { Recent, RecentFeed } from './recent.ts'

/** Milliseconds from the beginning of a computation: a fifth of the time in which a report is to be visible (ADR 266). */
const SHARED_MS = 100
/** Answers of each kind; one is some ten kilobytes. */
const MAX_SHARED = 200

/**
 * The same answers, computed once for all who read the same audiences and ask within `SHARED_MS`. An answer that fails is
 * computed again.
 * @param clock milliseconds of a clock that only goes forward
 */
export function sharedAnalytics(
  { overview, attribution }: Analytics,
  recent: RecentFeed,
  clock: () => number = () => performance.now(),
): { analytics: Analytics; recent: RecentFeed } {
  const kept = { max: MAX_SHARED, ttlMs: SHARED_MS, now: clock }
  const overviews = promiseCache<Overview>(kept)
  const attributions = promiseCache<Attribution>(kept)
  const feeds = promiseCache<Recent>(kept)
  return {
    analytics: {
      overview: (reader, days, now) =>
        overviews.get(keyOf(reader, days, dayOf(now)), () => overview(reader, days, now)),
      attribution: (reader, size, maliciousOnly) =>
        attributions.get(keyOf(reader, size, maliciousOnly), () => attribution(reader, size, maliciousOnly)),
    },
    recent: (reader, q, now) =>
      feeds.get(keyOf(reader, q.hours, q.limit, q.maliciousOnly), () => recent(reader, q, now)),
  }
}

/** All that an answer depends on: what may be read, and what is asked. */
const keyOf = ({ audiences }: Reader, ...asked: readonly (number | boolean | string)[]): string =>
  `${asked.join()}:${audiences.join()}`
