/** What streams and alerts follow from, read from the log alone. */

import type { EventLog } from '../../../../connectors/log/port.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { type ViewChange, viewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import { CHANGES } from '../../../../schemas/log/topics.ts'
import { decodeChange } from '../../../builders/intelligence/changes.ts'
import { everyRecord } from '../../../builders/intelligence/replay/replay.ts'

/** A change and when it was logged first, unix milliseconds. */
export type LoggedChange = { change: Change; time: number }

/** What a change is to a reader. */
export type SeenChange = LoggedChange & { seen: ViewChange }

/**
 * Reads what a log takes from now on: a broker of several tests has the changes of others too. Every change once, in the
 * order of each partition: a job that was killed sends some of them again.
 */
export async function changesFromNow(log: Pick<EventLog, 'offsets' | 'read'>): Promise<() => Promise<LoggedChange[]>> {
  const began = new Map((await log.offsets(CHANGES)).map(({ partition, high }) => [partition, high]))
  return async () => {
    const once = new Map<string, LoggedChange>()
    for (const { partition, offset, value, timestamp } of await everyRecord(log, CHANGES)) {
      if (offset < (began.get(partition) ?? 0)) continue
      const change = decodeChange(value)
      if (!once.has(change.id)) once.set(change.id, { change, time: timestamp })
    }
    return [...once.values()]
  }
}

/**
 * The changes of the view of a reader of these groups.
 * @throws Error for a change with more claims than it carries: a load has few sources
 */
export function seenBy(logged: readonly LoggedChange[], groups: readonly string[]): SeenChange[] {
  const reads = (audience: readonly string[]): boolean => audience.some((group) => groups.includes(group))
  return logged.flatMap((one) => {
    const seen = viewChange(one.change, reads, BUILT_IN)
    if (seen === 'wide') throw new Error(`the change ${one.change.id} does not carry its claims`)
    return seen === null ? [] : [{ ...one, seen }]
  })
}
