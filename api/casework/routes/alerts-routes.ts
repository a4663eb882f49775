/** The caller's inbox of alerts, in the form that existing clients read (decisions 13.2). */

import { Type } from 'typebox'
import type { Alert } from '../../../connectors/postgres/casework/alerts/port.ts'
import { change, notAudited } from '../../../schemas/audit/action.ts'
import { ALERT_STATES, MAX_UNREAD } from '../../../schemas/casework/alert.ts'
import { ITEM_KINDS } from '../../../schemas/casework/casework.ts'
import { alertItem } from '../../../schemas/casework/deliveries/message.ts'
import { CLOSED, idParam, text, uuid } from '../../http/fields/common.ts'
import { instant } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { AlertService } from '../services/alerts-service.ts'
import { BOUNDS, READ_STATE, ReadStateShown, readUntil, showReadState } from './alert-reads.ts'
import { CASEWORK, type Common, lines } from './casework-shapes.ts'

const changeable = {
  state: Type.Enum([...ALERT_STATES]),
  note: lines(0, 2_000),
  assignee: Type.Union([text(1, 200), Type.Null()], {
    description: 'person to whom the alert is assigned; null: not assigned',
  }),
}

const AlertShown = Type.Object({
  id: uuid,
  '@timestamp': Type.String({ format: 'date-time', description: 'when it was made' }),
  watchlistID: uuid,
  itemID: uuid,
  entityID: Type.String(),
  entityType: Type.String(),
  entityValue: Type.String({ description: 'cut to 2,048 characters' }),
  reputation: Type.Integer({ description: 'of the last entry' }),
  matchedKind: Type.Enum([...ITEM_KINDS], { description: 'kind of the item' }),
  matchedOn: Type.String({ description: 'what the item names; a selector as JSON text, cut to 2,048 characters' }),
  count: Type.Integer({ description: 'how often the entity entered on this UTC day' }),
  lastAt: Type.String({ format: 'date-time', description: 'when it entered last' }),
  withdrawnAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'when the alert was withdrawn: a report was retracted, the entity was marked as well known, or a verdict decided its score',
    }),
  ),
  unread: Type.Boolean({ description: 'the entity entered after the caller last read alerts' }),
  state: Type.Optional(Type.Enum([...ALERT_STATES], { description: 'absent: `new`' })),
  assignee: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
})

const page = Type.Object({
  limit: Type.Integer({ default: 100, minimum: 1, maximum: 500 }),
  unread: Type.Boolean({ default: false, description: 'only alerts that are unread' }),
  state: Type.Optional(Type.Enum([...ALERT_STATES], { description: 'only alerts in this state' })),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'id of an alert: the page after it, that is, older ones' }),
  ),
})

const ReadNow = Type.Object(
  { read_until: Type.Optional(Type.String({ maxLength: 64, description: readUntil })) },
  CLOSED,
)

const showAlert = (alert: Alert) => ({
  ...alertItem(alert),
  unread: alert.unread,
  ...(alert.state === 'new' ? {} : { state: alert.state }),
  ...(alert.assignee === null ? {} : { assignee: alert.assignee }),
  ...(alert.note === '' ? {} : { note: alert.note }),
})

const ALERT = {
  entityType: 'ip',
  entityValue: '203.0.113.7',
  reputation: -2,
  matchedKind: 'cidr',
  matchedOn: '203.0.113.0/24',
  state: 'assigned',
  assignee: 'ana',
  note: 'Blocked at the gateway.',
}

export const alertRoutes = (alerts: AlertService, common: Common): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/alerts`,
    id: 'listAlerts',
    summary: 'List the alerts of the caller’s watchlists, newest first.',
    examples: { words: ALERT },
    query: page,
    responses: {
      200: Type.Object({
        items: Type.Array(AlertShown),
        unread: Type.Integer({ description: `all unread alerts, counted up to ${MAX_UNREAD}` }),
      }),
    },
    handler: async ({ user, query: { limit, unread, state = null, before = null } }) => {
      const found = await alerts.list(user, { limit, unread, state, before })
      return reply(200, { items: found.alerts.map(showAlert), unread: found.unread })
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${CASEWORK}/alerts/read`,
    id: 'readAlerts',
    summary:
      'Mark alerts of the caller as read: all alerts, or those up to a given time. Alerts that were read stay read.',
    examples: { body: { read_until: '2026-03-01T12:00:00Z' } },
    audit: notAudited(READ_STATE),
    body: ReadNow,
    emptyBody: {},
    responses: { 200: ReadStateShown },
    handler: async ({ user, body: { read_until: given } }) => {
      const until = given === undefined ? null : instant('read_until', given, BOUNDS)
      return reply(200, showReadState(await alerts.markRead(user, until)))
    },
  }),
  route({
    ...common,
    method: 'patch',
    path: `${CASEWORK}/alerts/{id}`,
    params: idParam,
    id: 'changeAlert',
    summary: 'Change the state, the note or the assignee of an alert of the caller. The rest stays unchanged.',
    codes: ['not_found'],
    examples: { words: ALERT, body: { state: 'handled', note: 'Blocked at the gateway.' } },
    audit: change('alert.change', 'casework_alerts', { param: 'id' }),
    body: Type.Partial(Type.Object(changeable), { ...CLOSED, minProperties: 1 }),
    responses: { 200: AlertShown },
    handler: async ({ user, params, body }) => reply(200, showAlert(await alerts.change(user, params.id, body))),
  }),
]
