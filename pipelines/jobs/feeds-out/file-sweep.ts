/** Files of lists end with their feed, in whatever way that ended (ADR 274). */

import type { FeedFiles } from '../../../connectors/feed-files/port.ts'
import type { FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import { untilNext } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'

export type FileSweepPorts = {
  files: Pick<FeedFiles, 'feeds' | 'forget'>
  feeds: Pick<FeedDefinitions, 'missing'>
  /** After a round that removed something: of how many feeds. */
  onRemoved: (feeds: number) => void
  onFailure: (error: Error) => void
}

/** How long files may be there without their feed, milliseconds, while the accounts answer. */
const EVERY_MS = 5_000
const MAX_PAUSE_MS = 60_000
/** Ids of one question. */
const PAGE = 1_000

/**
 * Removes the files of every feed that there is no more, and returns how many feeds they were of. The folder is read before
 * the accounts are asked: a feed is there before its first file, so a new one is never taken for one that ended. What is
 * being written stays until the next time. Throws when the accounts or the disk fail; what was removed by then is.
 */
export async function sweepFiles({ files, feeds }: Pick<FileSweepPorts, 'files' | 'feeds'>): Promise<number> {
  const there = await files.feeds()
  let removed = 0
  for (let from = 0; from < there.length; from += PAGE)
    for (const id of await feeds.missing(there.slice(from, from + PAGE))) {
      await files.forget(id)
      removed++
    }
  return removed
}

/** Sweeps at once, for what a process before this one left, and every 5 s, until stopped. */
export function startFileSweep(ports: FileSweepPorts): { stop: () => Promise<void> } {
  const { onRemoved, onFailure } = ports
  return startRounds({
    async round() {
      const removed = await sweepFiles(ports)
      if (removed > 0) onRemoved(removed)
      return untilNext(EVERY_MS)
    },
    onFailure,
    failedMs: EVERY_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
}
