/** Routes of the destinations of alerts (decisions 13.3). */

import { Type } from 'typebox'
import { MEMBER_ROLES } from '../../../schemas/accounts/team.ts'
import type { TeamService } from '../../accounts/services/team/team.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, idParam } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { DestinationService } from '../services/destinations.ts'
import {
  ALERTS,
  ChangedDestination,
  ConfirmBody,
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
    summary: 'Create a destination of alerts. An email address is mailed a code that confirms it.',
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
    summary: 'List the caller’s own destinations of alerts, oldest first.',
    responses: { 200: Type.Object({ items: Type.Array(DestinationAnswer) }) },
    handler: async ({ user }) => reply(200, { items: (await destinations.list(user)).map(showDestination) }),
  }),
  route({
    ...common,
    ...one,
    method: 'get',
    summary: 'Get a destination of the caller.',
    responses: { 200: DestinationAnswer },
    handler: async ({ user, params }) => reply(200, showDestination(await destinations.get(user, params.id))),
  }),
  route({
    ...common,
    ...one,
    method: 'patch',
    summary: 'Change a destination of the caller. Another email address has to be confirmed.',
    body: ChangedDestination,
    responses: { 200: DestinationAnswer },
    handler: async ({ user, params, body, ip }) =>
      reply(200, showDestination(await destinations.change(user, params.id, body, ip))),
  }),
  route({
    ...common,
    ...one,
    method: 'delete',
    summary: 'Delete a destination of the caller, with its waiting deliveries.',
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
    summary: 'Send a test to a destination now, and return whether it was delivered.',
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
    summary: 'Replace the secret that signs what is sent to a destination.',
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
    summary: 'Confirm the address of a destination with the mailed code.',
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
    summary: 'List the deliveries of a destination, sent and waiting, newest first.',
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
  ...[ALERTS, DESTINATIONS].map((base) =>
    route({
      ...common,
      method: 'post',
      path: `${base}/deliveries/{id}/retry`,
      summary: 'Retry a delivery now. A dead or skipped delivery gets all attempts of its schedule again.',
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
