import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { LivePorts } from '../../../api/live/ports.ts'
import { linkStore } from '../../../connectors/history/links/link-store.ts'
import { changeLog } from '../../../connectors/operations/changes/change-log.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import type { Live } from '../../../connectors/postgres/live/port.ts'
import { kyselyStreamPlaces, openStreams } from '../../../connectors/postgres/live/stream-places.ts'
import { kyselyLiveTickets } from '../../../connectors/postgres/live/stream-tickets.ts'
import type { Tables } from '../../../connectors/postgres/tables/all-tables.ts'
import { pause } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import type { Core } from './module.ts'

/** A third of a lease: two renewals in a row may fail. */
const RENEW_MS = 10_000
const RETRY_MS = 1_000

const SWEEP_MS = 60_000
/** A process that could not renew for a while goes on with the places that nobody has taken. */
const PLACES_KEPT_MS = 10 * 60_000
/** The clock of another process may be behind. */
const TICKETS_KEPT_MS = 60_000

/**
 * Open streams and tickets over the database of accounts, with what has to be done for them from time to time.
 * `renewMs`: the wait between two renewals, milliseconds.
 */
export function openLive(
  db: Kysely<Tables>,
  logger: Logger,
  { renewMs = RENEW_MS }: { renewMs?: number } = {},
): { live: Live; close(): Promise<void> } {
  const places = kyselyStreamPlaces(db)
  const tickets = kyselyLiveTickets(db)
  const failed = (what: string) => (err: Error) => logger.warn({ err }, what)
  const streams = openStreams(places, {
    now: Date.now,
    newId: randomUUID,
    onFailure: failed('cannot give back the place of a live stream; it is free once its lease ends'),
  })
  const renewing = startRounds({
    async round() {
      await streams.renew()
      return renewMs
    },
    onFailure: failed('cannot renew the places of live streams; retrying'),
    failedMs: RETRY_MS,
    maxPauseMs: RENEW_MS,
  })
  const sweeping = startRounds({
    async round() {
      const now = Date.now()
      const removed = (await places.sweep(now - PLACES_KEPT_MS)) + (await tickets.sweep(now - TICKETS_KEPT_MS))
      // A sweep is bounded; what came faster than it goes at once.
      return removed > 0 ? 0 : SWEEP_MS
    },
    onFailure: failed('cannot remove ended places and tickets of live streams; retrying'),
    failedMs: SWEEP_MS,
    maxPauseMs: SWEEP_MS,
  })
  return {
    live: { streams, tickets },
    async close() {
      await Promise.all([renewing.stop(), sweeping.stop()])
      await streams.close()
    },
  }
}

/** Changes as they happen. */
export function liveModule({ recorded, registry, history, database, open, logger }: Core) {
  const streaming = openLive(database.db, logger)
  open.push('live streams', () => streaming.close())
  return {
    api: {
      live: streaming.live,
      links: linkStore(history),
      changes: changeLog({
        log: recorded,
        registry,
        stored: untilStored({ log: recorded, pause }),
        onUnreadable: (place, reason) =>
          logger.warn({ ...place, reason }, 'a change cannot be read, so live streams skip it'),
      }),
    } satisfies LivePorts,
  }
}
