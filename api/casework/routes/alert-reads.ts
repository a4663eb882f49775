/** Which alerts the caller has read: everything up to a moment, and single ones after it. */

import { Type } from 'typebox'
import { notAudited } from '../../../schemas/audit/action.ts'
import { MAX_READ } from '../../../schemas/casework/casework.ts'
import type { ReadState } from '../../../schemas/casework/owner.ts'
import { CLOSED, uuid } from '../../http/fields/common.ts'
import { instant } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { AlertReadService } from '../services/alert-reads.ts'
import { CASEWORK, type Common, iso, moment } from './casework-shapes.ts'

/** How a body names the watermark. */
export const readUntil = 'ISO 8601 with an offset; alerts up to this time are read'

const NewState = Type.Object(
  {
    read_until: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
        description: `${readUntil}. null or absent: no alert is read by its time`,
      }),
    ),
    read: Type.Array(uuid, { maxItems: MAX_READ, description: 'ids of read alerts; one that repeats is unread again' }),
  },
  CLOSED,
)

export const ReadStateShown = Type.Object({
  read_until: Type.Union([moment, Type.Null()]),
  read: Type.Array(uuid, { description: 'sorted, without duplicates' }),
})

/** The last moment that four digits of a year can say. */
export const BOUNDS = { from: 0, until: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }

export const showReadState = ({ readUntil, read }: ReadState) => ({
  read_until: readUntil === null ? null : iso(readUntil),
  read,
})

/** Why reading alerts leaves no audit record. */
export const READ_STATE = 'what a user has read is a note to itself'

export const alertReadRoutes = (alertReads: AlertReadService, common: Common): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/alerts/read-state`,
    id: 'getAlertReadState',
    summary: 'Get the alert read state of the caller.',
    responses: { 200: ReadStateShown },
    handler: async ({ user }) => reply(200, showReadState(await alertReads.get(user))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${CASEWORK}/alerts/read-state`,
    id: 'setAlertReadState',
    summary: 'Replace the alert read state of the caller.',
    codes: ['not_found'],
    examples: { body: { read_until: '2026-03-01T12:00:00Z', read: [] } },
    audit: notAudited(READ_STATE),
    body: NewState,
    responses: { 200: ReadStateShown },
    handler: async ({ user, body: { read_until: until, read } }) => {
      const readUntil = until === undefined || until === null ? null : instant('read_until', until, BOUNDS)
      return reply(200, showReadState(await alertReads.put(user, { readUntil, read })))
    },
  }),
]
