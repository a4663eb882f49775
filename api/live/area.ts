import { randomBytes } from 'node:crypto'
import type { Identity } from '../../schemas/accounts/accounts.ts'
import { fold, isRetracted } from '../../schemas/intelligence/state/entity-view.ts'
import { allowances } from '../http/limits/allowance.ts'
import { takeStreamPlace } from '../http/limits/open-streams.ts'
import type { Route } from '../http/route.ts'
import { entityViews } from '../intelligence/services/entity/entity-views.ts'
import { readers as newReaders } from '../intelligence/services/readers.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { LivePorts } from './ports.ts'
import { changeRoutes } from './routes/changes-routes.ts'
import { socketRoutes } from './routes/socket.ts'
import { catchUpTurns } from './services/following/catch-up-turns.ts'
import { hub as newHub } from './services/following/hub.ts'
import { newLinks } from './services/following/new-links.ts'
import { readerChanges } from './services/following/reader-changes.ts'
import { unreadBound } from './services/following/unread.ts'
import { wideViews } from './services/following/wide-views.ts'
import { openPlaces } from './services/open-places.ts'
import { streamService } from './services/streams.ts'
import { ticketService } from './services/tickets.ts'

/** Streams that read what they have missed at the same time. */
const CATCH_UPS = 8
const TICKET_BYTES = 32

/** Routes of changes as they happen (decisions 12). */
export function liveArea(ports: CommonPorts & LivePorts, config: ApiConfig): Route[] {
  const { changes, links, history, scoring, live, logger, metrics, now, seals } = ports
  const readers = newReaders(history, now)
  const entities = entityViews(history, scoring)
  const tell = readerChanges({
    scoring,
    newLinks: newLinks(links, readers),
    wideViews: wideViews(async (groups, entityId) => {
      const rows = (await entities.states(await readers.of(groups), [entityId])).get(entityId)
      return rows === undefined ? null : { ...fold(rows, await scoring()), retracted: isRetracted(rows) }
    }),
  })
  const onFailure = (err: unknown): void => logger.warn({ err }, 'a live stream failed; its client can resume it')
  const unread = unreadBound()
  const hub = newHub({ changes, tell, unread, seals, now, onFailure })
  const allowed = allowances({ tiers: config.tiers, subscriptions: ports.subscriptions })
  const ofCaller = (user: Identity | null, ip: string) =>
    takeStreamPlace({ streams: live.streams, allowances: allowed, metrics: metrics.instruments }, user, ip)
  const streams = streamService({
    changes,
    hub,
    tell,
    unread,
    seals,
    places: openPlaces(ofCaller),
    turns: catchUpTurns(CATCH_UPS),
    now,
    onFailure,
  })
  const tickets = ticketService({
    tickets: live.tickets,
    hasAdministrator: config.administrator !== null,
    newTicket: () => randomBytes(TICKET_BYTES).toString('base64url'),
    now,
  })
  return [...changeRoutes(streams), ...socketRoutes(streams, tickets)]
}
