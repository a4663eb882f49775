/** Reads the changes of a period, and stops (decisions 12.1). */

import { asProblem } from '../../api/problem.ts'
import { type ChangeEvent, readEvent } from '../../parts/live/events.ts'
import type { FollowPorts } from '../../parts/live/follow.ts'
import { linesOf } from '../../parts/live/lines.ts'

/** Changes that are read at most. */
export const MOST_CHANGES = 1_000

/** `whole`: all of the period; otherwise there are more, or the stream ended before. */
export type ChangesRead = { changes: ChangeEvent[]; whole: boolean }

/** Periods by their names in the address, in milliseconds; the platform keeps 7 days, and a minute passes on the way. */
export const PERIODS = {
  hour: { label: 'Last hour', ms: 3_600_000 },
  day: { label: 'Last day', ms: 86_400_000 },
  week: { label: 'Last 7 days', ms: 7 * 86_400_000 - 60_000 },
} as const
export type Period = keyof typeof PERIODS

/**
 * The first changes since a moment, oldest first, each once. It ends at `caught-up`, at `most`, or when the platform ends
 * the stream. Throws a `Problem`.
 */
export async function readChanges(
  open: FollowPorts['open'],
  since: string,
  signal: AbortSignal,
  most = MOST_CHANGES,
): Promise<ChangesRead> {
  const changes = new Map<string, ChangeEvent>()
  try {
    for await (const line of linesOf(await open(since, signal))) {
      const event = readEvent(line)
      if (event?.event === 'caught-up') return { changes: [...changes.values()], whole: true }
      if (event?.event !== 'change') continue
      // One more than is shown was told: there are more.
      if (!changes.has(event.data.id) && changes.size >= most) break
      changes.set(event.data.id, event.data)
    }
  } catch (thrown) {
    throw asProblem(thrown)
  }
  return { changes: [...changes.values()], whole: false }
}
