/** Changes of entities as they happen (decisions 12.1). */

import { Type } from 'typebox'
import { read } from '../../../schemas/audit/action.ts'
import { MAX_STREAM_CURSOR } from '../../../schemas/live/stream-cursor.ts'
import { StreamBody } from '../../http/answers/stream-body.ts'
import { invalid } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { Since } from '../services/following/begin.ts'
import { EVENT_STREAM, LINES } from '../services/following/forms.ts'
import type { StreamService } from '../services/streams.ts'

/** Longest list or selector. */
const MAX_TEXT = 16_384

const Query = Type.Object({
  since: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_STREAM_CURSOR,
      description: 'cursor of an event, or a time within the last 7 days; default: now',
    }),
  ),
  kinds: Type.Optional(Type.String({ maxLength: MAX_TEXT, description: 'any of these kinds, separated by commas' })),
  types: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: 'any of these entity types, separated by commas' }),
  ),
  tags: Type.Optional(Type.String({ maxLength: MAX_TEXT, description: 'any of these tags, separated by commas' })),
  reputationAtMost: Type.Optional(
    Type.Integer({ minimum: -3, maximum: 3, description: 'of the entity after the change' }),
  ),
  selector: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT,
      description: 'selector as JSON, without other filters: the entities that enter it, change in it or leave it',
    }),
  ),
})

export function changeRoutes(streams: StreamService): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/live/v1/changes',
      id: 'followChanges',
      summary: 'Follow the changes of entities as they happen.',
      codes: ['bad_cursor', 'cursor_expired', 'rate_limited', 'feature_disabled', 'busy'],
      examples: {
        words: {
          since: '2026-05-01T12:00:00Z',
          kinds: 'created,scored',
          types: 'ip,domain',
          tags: 'botnet,scanner',
          reputationAtMost: -1,
          selector: '{"types":["ip"],"reputation":{"lte":-2}}',
        },
      },
      audit: read('changes.stream', null),
      tag: 'Live',
      access: 'anyone',
      scope: 'read',
      query: Query,
      responses: {
        200: {
          media: EVENT_STREAM.name,
          description: `Server-Sent Events: \`change\`, \`heartbeat\`, \`caught-up\`, \`lagging\`. With \`accept: ${LINES.name}\` a line of JSON each.`,
        },
      },
      handler: async ({ user, again, query, ip, prefers, header }) => {
        const { since, ...filter } = query
        const form = prefers.type([EVENT_STREAM.name, LINES.name]) === LINES.name ? LINES : EVENT_STREAM
        const start = await streams.open({
          user,
          again,
          ip,
          filter,
          since: placeIn(since, header('last-event-id')),
          form,
        })
        return reply(200, new StreamBody(form.name, start), {
          vary: 'authorization, api-key, api-secret, accept',
        })
      },
    }),
  ]
}

/** Where to go on: a client that comes back says it in a header. */
function placeIn(since: string | undefined, lastEventId: string | undefined): Since | null {
  if (since !== undefined && lastEventId !== undefined) throw invalid('since', 'cannot be combined with Last-Event-ID')
  if (since !== undefined) return { param: 'since', text: since }
  return lastEventId === undefined ? null : { param: 'Last-Event-ID', text: lastEventId }
}
