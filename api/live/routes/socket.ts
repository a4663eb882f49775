/** The socket that existing clients use, and the tickets that open it (decisions 12.3). */

import { Type } from 'typebox'
import { read } from '../../../schemas/audit/action.ts'
import { ApiError } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { socketRoute } from '../../http/sockets/socket-route.ts'
import { FRAMES } from '../services/following/forms.ts'
import type { StreamService } from '../services/streams.ts'
import type { TicketService } from '../services/tickets.ts'

const LIVE = '/api/analytics/v1/live'

const Ticket = Type.Object({
  ticket: Type.String({ description: `opens \`${LIVE}?ticket=\` once` }),
  expiresAt: Type.String({ format: 'date-time' }),
})

export function socketRoutes(streams: StreamService, tickets: TicketService): Route[] {
  return [
    route({
      method: 'get',
      path: `${LIVE}/ticket`,
      id: 'getLiveTicket',
      summary: 'Get a ticket that opens the live socket once, within 30 seconds.',
      codes: ['forbidden'],
      examples: { words: { ticket: 'a-ticket-that-opens-one-socket' } },
      tag: 'Live',
      access: 'anyone',
      scope: 'read',
      limit: { service: 'analytics-api', features: ['recent_per_minute'] },
      responses: { 200: Ticket },
      handler: async ({ user }) => {
        const { ticket, expiresAt } = await tickets.issue(user)
        return reply(200, { ticket, expiresAt: new Date(expiresAt).toISOString() })
      },
    }),
    socketRoute({
      path: LIVE,
      id: 'openLiveSocket',
      summary: 'Follow new, malicious and related entities over a WebSocket.',
      codes: ['unauthorized', 'rate_limited', 'feature_disabled', 'busy'],
      examples: { words: { ticket: 'a-ticket-that-opens-one-socket' } },
      audit: read('changes.stream', null),
      tag: 'Live',
      access: 'anyone',
      scope: 'read',
      query: Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 100, description: 'of the ticket route' }) }),
      frames:
        'Text frames of JSON: `{type, time, entityId, entityType, value, reputation, tags, toEntityId?, mode?}` with the types `entity.created`, `entity.malicious` and `entity.linked`.',
      open: async ({ user, query, ip }) => {
        if (user !== null)
          throw new ApiError('unauthorized', { message: 'send only the ticket, without other credentials' })
        const holder = await tickets.redeem(query.ticket, ip)
        return streams.open({ ...holder, ip, filter: {}, since: null, form: FRAMES })
      },
    }),
  ]
}
