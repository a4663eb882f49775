import type { FeedStore } from '../../../../connectors/history/feeds-out/port.ts'
import type { FeedHead } from '../../../../schemas/feeds-out/head.ts'
import { GUARD_MOST, GUARD_WINDOW_MS, type RecentSteps, recentSteps } from '../../../processors/feeds-out/guard.ts'

/** Versions of writes are the time of the write in microseconds, or higher (see `newVersion` of the job). */
export const VERSIONS_A_MS = 1_000

/** What the guard of a list knows of the last minute, as the process before this one stored it. */
export async function storedRecent(
  store: Pick<FeedStore, 'passed'>,
  { feed, held, sequence, made = 0 }: FeedHead,
  now: number,
): Promise<RecentSteps> {
  if (feed.guard === null || held !== null) return recentSteps()
  const since = now - GUARD_WINDOW_MS
  const passed = await store.passed(feed.id, { since, version: BigInt(made), to: sequence }, GUARD_MOST)
  return recentSteps(passed.map(({ entityId, added, storedAt: time }) => ({ entityId, added, time })))
}
