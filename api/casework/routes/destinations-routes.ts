/** Routes of the destinations of alerts (decisions 13.3). */

import { Type } from 'typebox'
import { MEMBER_ROLES } from '../../../schemas/accounts/team.ts'
import { change } from '../../../schemas/audit/action.ts'
import type { TeamService } from '../../accounts/services/team/team-service.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, idParam } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { DestinationService } from '../services/destinations-service.ts'
import {
  ALERTS,
  ChangedDestination,
  ConfirmBody,
  DELIVERY_WORDS,
  DESTINATION_WORDS,
  DESTINATIONS,
  DeliveriesAnswer,
  DestinationAnswer,
  MadeDestination,
  NewDestination,
  NewSecret,
  showDelivery,
  showDestination,
  TestAnswer,
} from './destination-shapes.ts'

type Common = { tag: 'Alerts'; access: 'user'; scope: 'casework'; permit: ReturnType<TeamService['permit']> }

export function destinationRoutes(destinations: DestinationService, team: TeamService): Route[] {
  const common: Common = {
    tag: 'Alerts',
    access: 'user',
    scope: 'casework',
    permit: team.permit(MEMBER_ROLES, 'forbidden'),
  }
  return [
    ...ownRoutes(destinations, common),
    ...orderRoutes(destinations, common),
    ...deliveryRoutes(destinations, common),
  ]
}

const one = { path: `${DESTINATIONS}/{id}`, params: idParam }

const ownRoutes = (destinations: DestinationService, common: Common): Route[] => [
  route({
    ...common,
    method: 'post',
    path: DESTINATIONS,
    id: 'createAlertDestination',
    summary: 'Create a destination of alerts. An email address is mailed a code that confirms it.',
    codes: ['not_found', 'quota_exceeded', 'rate_limited'],
    examples: {
      words: DESTINATION_WORDS,
      body: { name: 'SOC on-call', kind: 'webhook', url: 'https://hooks.example.com/harrier', digest: 'none' },
    },
    audit: change('destination.make', 'alert_destinations', 'made'),
    body: NewDestination,
    responses: { 201: MadeDestination },
    handler: async ({ user, body, ip }) => {
      const { made, secret } = await destinations.create(user, body, ip)
      return reply(201, { ...showDestination(made), secret })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: DESTINATIONS,
    id: 'listAlertDestinations',
    summary: 'List the caller’s own destinations of alerts, oldest first.',
    examples: { words: DESTINATION_WORDS },
    responses: { 200: Type.Object({ items: Type.Array(DestinationAnswer) }) },
    handler: async ({ user }) => reply(200, { items: (await destinations.list(user)).map(showDestination) }),
  }),
  route({
    ...common,
    ...one,
    method: 'get',
    id: 'getAlertDestination',
    summary: 'Get a destination of the caller.',
    codes: ['not_found'],
    examples: { words: DESTINATION_WORDS },
    responses: { 200: DestinationAnswer },
    handler: async ({ user, params }) => reply(200, showDestination(await destinations.get(user, params.id))),
  }),
  route({
    ...common,
    ...one,
    method: 'patch',
    id: 'changeAlertDestination',
    summary: 'Change a destination of the caller. Another email address has to be confirmed.',
    codes: ['not_found', 'rate_limited'],
    examples: { words: DESTINATION_WORDS, body: { digest: 'hourly' } },
    audit: change('destination.change', 'alert_destinations', { param: 'id' }),
    body: ChangedDestination,
    responses: { 200: DestinationAnswer },
    handler: async ({ user, params, body, ip }) =>
      reply(200, showDestination(await destinations.change(user, params.id, body, ip))),
  }),
  route({
    ...common,
    ...one,
    method: 'delete',
    id: 'deleteAlertDestination',
    summary: 'Delete a destination of the caller, with its waiting deliveries.',
    codes: ['not_found'],
    audit: change('destination.delete', 'alert_destinations', { param: 'id' }),
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await destinations.remove(user, params.id)
      return reply(204)
    },
  }),
]

const orderRoutes = (destinations: DestinationService, common: Common): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${one.path}/test`,
    id: 'testAlertDestination',
    summary: 'Send a test to a destination now, and return whether it was delivered.',
    codes: ['not_found', 'conflict', 'rate_limited'],
    examples: { words: { delivered: false, error: 'the receiver answered with status 503' } },
    audit: change('destination.test', 'alert_destinations', { param: 'id' }),
    params: idParam,
    body: Type.Object({}, CLOSED),
    emptyBody: {},
    responses: { 200: TestAnswer },
    handler: async ({ user, params }) => {
      const error = await destinations.test(user, params.id)
      return reply(200, { delivered: error === null, error })
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${one.path}/secret`,
    id: 'renewAlertDestinationSecret',
    summary: 'Replace the secret that signs what is sent to a destination.',
    codes: ['not_found'],
    examples: { words: DESTINATION_WORDS },
    audit: change('destination.secret', 'alert_destinations', { param: 'id' }),
    params: idParam,
    body: Type.Object({}, CLOSED),
    emptyBody: {},
    responses: { 200: NewSecret },
    handler: async ({ user, params }) => reply(200, { secret: await destinations.renewSecret(user, params.id) }),
  }),
  route({
    ...common,
    method: 'post',
    path: `${one.path}/confirm`,
    id: 'confirmAlertDestination',
    summary: 'Confirm the address of a destination with the mailed code.',
    codes: ['not_found'],
    examples: { words: DESTINATION_WORDS },
    audit: change('destination.confirm', 'alert_destinations', { param: 'id' }),
    params: idParam,
    body: ConfirmBody,
    responses: { 200: DestinationAnswer },
    handler: async ({ user, params, body }) =>
      reply(200, showDestination(await destinations.confirm(user, params.id, body.code))),
  }),
]

const deliveryRoutes = (destinations: DestinationService, common: Common): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${one.path}/deliveries`,
    id: 'listAlertDeliveries',
    summary: 'List the deliveries of a destination, sent and waiting, newest first.',
    codes: ['not_found'],
    examples: { words: DELIVERY_WORDS },
    params: idParam,
    query: Type.Object({
      after: Type.Optional(Type.String({ format: 'uuid', description: '`next` of the previous page' })),
      limit: Type.Integer({ default: 100, minimum: 1, maximum: 500 }),
    }),
    responses: { 200: DeliveriesAnswer },
    handler: async ({ user, params, query: { after = null, limit } }) => {
      const { deliveries, next } = await destinations.deliveries(user, params.id, { after, limit })
      return reply(200, { items: deliveries.map(showDelivery), ...(next === null ? {} : { next }) })
    },
  }),
  // The path as decisions 13.3 names it can be read as either: what stands before the deliveries is left out there.
  ...[
    { base: ALERTS, id: 'retryAlertDelivery' },
    { base: DESTINATIONS, id: 'retryAlertDeliveryById' },
  ].map(({ base, id }) =>
    route({
      ...common,
      method: 'post',
      path: `${base}/deliveries/{id}/retry`,
      id,
      summary: 'Retry a delivery now. A dead or skipped delivery gets all attempts of its schedule again.',
      codes: ['not_found', 'conflict'],
      audit: change('delivery.retry', 'alert_deliveries', { param: 'id' }),
      params: idParam,
      body: Type.Object({}, CLOSED),
      emptyBody: {},
      responses: { 202: Acknowledged },
      handler: async ({ user, params }) => {
        await destinations.retry(user, params.id)
        return reply(202, ACKNOWLEDGED)
      },
    }),
  ),
]
