import type { CountDrift, HistorySnapshot, Recount } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { poll } from '../../../platform/retry.ts'

export type CountsComparison =
  | { kind: 'compared'; drift: CountDrift; corrected: boolean }
  /** The consumers never were at the end of the log when it was looked at. */
  | { kind: 'never still' }

export type RecountOptions = {
  group: string
  topic: string
  /** Whether drift is corrected, or only reported. */
  repair: boolean
  /** How often a still moment is sought. */
  attempts: number
  /** Milliseconds between two attempts. */
  pauseMs: number
  /** Aborted when the result is not needed any more. */
  signal: AbortSignal
}

type OffsetLog = Pick<EventLog, 'offsets' | 'committed'>

/**
 * The ends of the log when every record up to them is applied, else null. Counters are stored before entities and the
 * position is committed after both, so between two equal results nothing was half stored, whichever process consumes.
 */
async function stillAt(log: OffsetLog, group: string, topic: string): Promise<string | null> {
  // Positions first: one that was read before an end and equals it has not been passed.
  const committed = new Map((await log.committed(group, topic)).map((c) => [c.partition, c.offset]))
  const ends = await log.offsets(topic)
  const all = ends.every(({ partition, high }) => (committed.get(partition) ?? 0) === high)
  return all ? JSON.stringify(ends.map(({ partition, high }) => [partition, high])) : null
}

/** Copies until the copy is of a still moment. */
async function copyWhileStill(snapshot: HistorySnapshot, log: OffsetLog, options: RecountOptions): Promise<boolean> {
  const { group, topic, attempts, pauseMs, signal } = options
  const copyOnce = async (): Promise<true | null> => {
    const before = await stillAt(log, group, topic)
    if (before === null) return null
    await snapshot.copy()
    return (await stillAt(log, group, topic)) === before ? true : null
  }
  return (await poll(copyOnce, { attempts, pausesMs: [pauseMs], signal })) !== null
}

/**
 * Compares the counters with a recount of the entities, both as of one consistent moment, and corrects them if
 * requested.
 * @throws Error while another comparison runs, what the stores throw, and the reason of `signal`
 */
export async function compareCounts(
  log: OffsetLog,
  recount: Recount,
  options: RecountOptions,
): Promise<CountsComparison> {
  const snapshot = await recount.open()
  try {
    if (!(await copyWhileStill(snapshot, log, options))) return { kind: 'never still' }
    const drift = await snapshot.drift(options.signal)
    const corrected = options.repair && drift.counters > 0
    if (corrected) await snapshot.correct()
    return { kind: 'compared', drift, corrected }
  } finally {
    await snapshot.close()
  }
}
