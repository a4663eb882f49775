/** Brings stored events to the log: at least once, in order per key, by any number of relays (decisions 8.1; ADR 277). */

import type { EventLog } from '../../../connectors/log/port.ts'
import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { Outbox, OutboxRecord } from '../../../connectors/postgres/operation/port.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { idleWait } from '../../runtime/leases/idle-wait.ts'

export type RelayPorts = {
  outbox: Outbox
  log: Pick<EventLog, 'send'>
  /** Unix milliseconds. */
  now: () => number
  /** UUID of this relay. */
  holder: string
  /** Which commits stored something; default: the outbox is looked at twice a second. */
  work?: WorkSignals
  onPublished: (records: number) => void
  onFailure: (error: Error) => void
}

/** Records of one send: a lifecycle event has a few hundred bytes. */
const BATCH = 500

/** How long a relay that died keeps the others waiting; longer than a send takes. */
const LEASE_MS = 10_000

const IDLE_MS = 500
const MAX_PAUSE_MS = 30_000

const DAY_MS = 24 * 60 * 60 * 1000
/** Published records are kept for a look back, and then no longer than this. */
const KEEP_MS = 7 * DAY_MS
const PRUNE_EVERY_MS = 60_000
const PRUNE_ROWS = 1000

/**
 * One round: returns how many records it brought to the log, 0 when there are none or another relay has the turn.
 *
 * Marking follows sending, so a relay that dies in between is repeated. The order of first appearances holds even when
 * two relays send at once: a record is left out only once it is marked, and it is marked only once it is on the log.
 */
export async function relayOnce(ports: Pick<RelayPorts, 'outbox' | 'log' | 'now' | 'holder'>): Promise<number> {
  const { outbox, log, now, holder } = ports
  // An idle outbox is looked at often: a look must not write.
  if ((await outbox.pending(1)).length === 0 || !(await outbox.take(holder, now(), LEASE_MS))) return 0
  const records = await outbox.pending(BATCH)
  if (records.length === 0) return 0
  await log.send(byTopic(records))
  await outbox.markPublished(
    records.map(({ seq }) => seq),
    now(),
  )
  return records.length
}

function byTopic(records: readonly OutboxRecord[]) {
  const topics = Map.groupBy(records, ({ topic }) => topic)
  return [...topics].map(([topic, all]) => ({
    topic,
    messages: all.map(({ key, record }) => ({ key, value: record })),
  }))
}

/**
 * Relays until stopped; a failure is logged and tried again, after pauses that grow to half a minute. `wake`: a
 * record was stored that should not wait for the next look.
 */
export function startRelay(ports: RelayPorts): Rounds {
  const { outbox, work = unheard, now } = ports
  let prunedAt = 0

  /** Another relay has the turn, or died with it: nobody tells when it is over. */
  const waiting = async () => ((await outbox.pending(1)).length > 0 ? now() : null)

  const rounds = startRounds({
    async round() {
      const records = await relayOnce(ports)
      if (records > 0) ports.onPublished(records)
      if (now() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = now()
        await outbox.prune(prunedAt - KEEP_MS, PRUNE_ROWS)
      }
      return records === BATCH ? 0 : idleWait({ work, idleMs: IDLE_MS, now, nextAt: waiting })
    },
    onFailure: ports.onFailure,
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const unwatch = work.on('outbox', rounds.wake)
  return {
    wake: rounds.wake,
    async stop() {
      unwatch()
      await rounds.stop()
      await outbox.leave(ports.holder).catch(ports.onFailure)
    },
  }
}
