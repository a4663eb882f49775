/** Takes back what a feed reported, with a preview (ADR 270). */

import { Type } from 'typebox'
import { RetractionPending, type Retractions } from '../../../connectors/operations/retractions/port.ts'
import { aboutFound } from '../../../connectors/postgres/core/port.ts'
import { ahead } from '../../../schemas/audit/action.ts'
import { ENTITY_ID } from '../../../schemas/intelligence/entities/id.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { CLOSED, text } from '../../http/fields/common.ts'
import { instant } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'

/** Where a page begins: an entity and an audience. */
const CURSOR = new RegExp(`^(${ENTITY_ID.slice(1, -1)})/(\\d{1,20})$`)
/** Numbers of audiences are below. */
const AUDIENCES = 2n ** 64n
/** As the record that carries it: a header. */
const MAX_REASON = 500

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Retracted = Type.Object({
  found: Count('number of entities that the feed reported in the window; an entity counts once for each audience'),
  retracted: Count('how many of them were retracted; in a preview, how many would be'),
  refused: Count('how many the jobs refused: their records are dead letters, and the entities are unchanged'),
  before: Count('how many of them were retracted before'),
  changed: Count('number of scores that changed'),
  left: Count(
    'entities that keep a tag or attribute because they were reported again during the retraction; send the request again',
  ),
  to: Type.String({ format: 'date-time', description: 'end of the window, for the next page or after a preview' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'value of `after` for the next page; null: everything in the window was looked at',
  }),
})

export const retractionRoutes = ({ retractions, now }: { retractions: Retractions; now: () => number }): Route[] => [
  route({
    method: 'post',
    path: '/api/admin/v1/retractions',
    id: 'retractFeed',
    summary:
      'Retract the reports of a feed in a time window, one page of at most 2,000 entities at a time, or preview it. The response is sent once the page is applied. Repeating the request changes nothing.',
    codes: ['not_found', 'retraction_pending'],
    examples: {
      words: { feed: 'blocklist' },
      body: {
        feed: 'blocklist',
        from: '2026-05-01T00:00:00Z',
        to: '2026-05-02T00:00:00Z',
        reason: 'the feed was compromised',
        preview: true,
      },
    },
    audit: ahead('feed.retract', null),
    tag: 'Administration',
    access: 'auth_admin',
    scope: 'admin',
    body: Type.Object(
      {
        feed: { ...text(1, 64), description: 'name of the feed' },
        from: { ...text(1, 64), description: 'start of the window: unix milliseconds or ISO 8601 with an offset' },
        to: Type.Optional({
          ...text(1, 64),
          description: 'end of the window, included; default: now',
        }),
        reason: Type.Optional({ ...text(1, MAX_REASON), description: 'stored with the records' }),
        preview: Type.Boolean({ description: 'only count; change nothing' }),
        after: Type.Optional({ ...text(1, 160), description: '`next` of the page before' }),
      },
      CLOSED,
    ),
    responses: { 200: Retracted },
    handler: async ({ body }) => {
      const present = now()
      const to = body.to === undefined ? present : instant('to', body.to, { from: 0, until: present })
      const from = instant('from', body.from, { from: 0, until: to })
      const { feed, preview, reason = null } = body
      // It has no id: its name is what it is told apart by.
      aboutFound({ subject: feed })
      const asked = { feed, from, to, reason, preview, after: placeIn(body.after) }
      const done = await retractions.page(asked).catch((error: unknown) => {
        throw error instanceof RetractionPending ? new ApiError('retraction_pending', {}, { cause: error }) : error
      })
      if (done === null) throw new ApiError('not_found', { message: `the feed ${feed} has no reports` })
      const { next, ...counts } = done
      return reply(200, {
        ...counts,
        to: new Date(to).toISOString(),
        next: next && `${next.entityId}/${next.audience}`,
      })
    },
  }),
]

function placeIn(cursor: string | undefined): { entityId: string; audience: bigint } | null {
  if (cursor === undefined) return null
  const found = CURSOR.exec(cursor)
  const audience = BigInt(found?.[2] ?? 0)
  if (found === null || audience >= AUDIENCES) throw invalid('after', 'must be `next` of the page before')
  return { entityId: found[1]!, audience }
}
