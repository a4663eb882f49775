/** Gives stored audit records their places in the chains; the relay of the outbox brings them to the log (ADR 278). */

import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { AuditSealing } from '../../../connectors/postgres/operation/port.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { idleWait } from '../../runtime/leases/idle-wait.ts'

export type SealerPorts = {
  sealing: AuditSealing
  /** Which commits stored something; default: looked at twice a second. */
  work?: WorkSignals
  /** Unix milliseconds. */
  now: () => number
  onFailure: (error: Error) => void
}

/** Records of one transaction. */
const BATCH = 500
const IDLE_MS = 500
/** What comes within this is sealed together: on the embedded database a transaction holds up every request. */
const LINGER_MS = 100
const MAX_PAUSE_MS = 30_000

export function startSealer({ sealing, work = unheard, now, onFailure }: SealerPorts): Pick<Rounds, 'stop'> {
  let lingering: NodeJS.Timeout | undefined
  const rounds = startRounds({
    async round() {
      const sealed = await sealing.seal(BATCH)
      if (sealed === BATCH) return 0
      return idleWait({ work, idleMs: IDLE_MS, now, nextAt: async () => ((await sealing.waiting()) ? now() : null) })
    },
    onFailure,
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const unwatch = work.on('audit', () => {
    lingering ??= setTimeout(() => {
      lingering = undefined
      rounds.wake()
    }, LINGER_MS).unref()
  })
  return {
    async stop() {
      unwatch()
      clearTimeout(lingering)
      await rounds.stop()
    },
  }
}
