/** The way of telemetry in over HTTP (decisions 14.1). */

import { notAudited, REPORT } from '../../../schemas/audit/action.ts'
import { NDJSON } from '../../http/bodies/lines-body.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { EventService } from '../services/events.ts'
import { MATCH } from './common-routes.ts'

const MIB = 1024 * 1024

/** No event takes less than 34 bytes with its line end, so no body of events has more lines. */
const BOUNDS = { maxBytes: 16 * MIB, maxLines: 500_000 }

const EXAMPLE = { at: '2026-03-01T12:00:00Z', kind: 'dns', host: 'laptop-17', fields: { query: 'login.example.com' } }

export const eventRoutes = (events: EventService): Route[] => [
  route({
    method: 'post',
    path: `${MATCH}/events`,
    id: 'sendEvents',
    summary: 'Send telemetry events, one JSON object per line. Each line is answered by a line.',
    codes: ['publish_failed'],
    examples: {
      body: `${JSON.stringify({ id: 'CmES5u32sYpV7JYN', ...EXAMPLE, ref: 'CmES5u32sYpV7JYN' })}\n${JSON.stringify(EXAMPLE)}\n`,
    },
    audit: notAudited(REPORT),
    tag: 'Match',
    access: 'user',
    scope: 'match',
    lines: BOUNDS,
    limit: { service: 'match-api', features: ['events_per_minute', 'events_per_day'] },
    responses: {
      202: {
        media: NDJSON,
        description:
          'The events are durable. One line for each line that is not blank, in order: `{"line", "id"}`, or `{"line", "error": {"code", "message", "param"}}` if it was refused. Lines are counted from 1.',
      },
    },
    handler: async ({ user, lines }) => reply(202, await events.accept(user, lines!)),
  }),
]
