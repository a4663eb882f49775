import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'

export type IdleWait = {
  /** Default: nothing is heard of commits. */
  work?: WorkSignals | undefined
  /** Between two looks while commits are not heard of, or while what is due cannot be taken, milliseconds. */
  idleMs: number
  /** Unix milliseconds. */
  now: () => number
  /** When the next piece of work is due, Unix milliseconds; null: none waits. */
  nextAt: () => Promise<number | null>
}

/**
 * How long a worker that found nothing to take waits for a ring, milliseconds: until the next piece of work is due. What
 * is due and cannot be taken, as another process has it, is looked at again soon: nobody tells when that changes.
 */
export async function idleWait({ work = unheard, idleMs, now, nextAt }: IdleWait): Promise<number> {
  const patienceMs = work.patienceMs(idleMs)
  if (patienceMs <= idleMs) return idleMs
  const at = await nextAt()
  if (at === null) return patienceMs
  const restMs = at - now()
  return restMs <= 0 ? idleMs : Math.min(restMs, patienceMs)
}
