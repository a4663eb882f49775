/** Instances of every customer, for `compute_admin`. */

import { Type } from 'typebox'
import { INSTANCE_STATES, instanceStatus } from '../../../../schemas/accounts/instances/instance.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { idParam, pagesOf, paging, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import { type InstanceService, USER_STEPS } from '../../services/instances-service.ts'
import { InstanceRecord, shownInstance } from './instances-routes.ts'

/** In any case. */
const Status = Type.String({
  pattern: `^(?:${INSTANCE_STATES.flatMap((state) => [state, state.toLowerCase()]).join('|')})$`,
  description: `one of ${INSTANCE_STATES.join(', ')}`,
})

const Wanted = Type.Object({
  ...paging.properties,
  userID: Type.Optional(uuid),
  customerID: Type.Optional(uuid),
  status: Type.Optional(Status),
  zone: Type.Optional(Type.String({ maxLength: 63 })),
  templateID: Type.Optional(Type.String({ maxLength: 128 })),
})

const Listed = Type.Object({
  instances: Type.Array(InstanceRecord, { description: 'newest first' }),
  items: Type.Integer({ description: 'total number of matching instances' }),
  pages: Type.Integer(),
})

const PATH = '/api/compute/v1/admin/instances'
const common = { tag: 'Administration', access: 'compute_admin', scope: 'admin' } as const

const STEPS = {
  start: {
    id: 'startAnyInstance',
    summary: 'Start a stopped instance of any customer. 409 in any other state.',
  },
  stop: {
    id: 'stopAnyInstance',
    summary: 'Stop a running instance of any customer. 409 in any other state.',
  },
  restart: { id: 'restartAnyInstance', summary: 'Restart a running instance of any customer.' },
  reset: { id: 'resetAnyInstance', summary: 'Reset an instance of any customer to its initial state.' },
} as const

export const adminInstanceRoutes = (instances: InstanceService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    id: 'listAllInstances',
    summary: 'List the instances of all customers.',
    query: Wanted,
    responses: { 200: Listed },
    handler: async ({ query: { userID, customerID, status, zone, templateID, ...page } }) => {
      const wanted = {
        userId: userID,
        customerId: customerID,
        status: status === undefined ? undefined : instanceStatus(status.toUpperCase()),
        zone,
        templateId: templateID,
      }
      const { instances: found, items } = await instances.find({ ...page, ...wanted })
      return reply(200, { instances: found.map(shownInstance), items, pages: pagesOf(items, page.limit) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getAnyInstance',
    summary: 'Get an instance of any customer.',
    codes: ['not_found'],
    params: idParam,
    responses: { 200: InstanceRecord },
    handler: async ({ params }) => reply(200, shownInstance(await instances.getAny(params.id))),
  }),
  ...USER_STEPS.map((step) =>
    route({
      ...common,
      method: 'post',
      path: `${PATH}/{id}/${step}`,
      ...STEPS[step],
      codes: ['not_found', 'conflict'],
      audit: change(`instance.${step}`, 'instances', { param: 'id' }),
      params: idParam,
      responses: { 202: InstanceRecord },
      handler: async ({ params }) => reply(202, shownInstance(await instances.stepAny(params.id, step))),
    }),
  ),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'deleteAnyInstance',
    summary: 'Delete an instance of any customer.',
    codes: ['not_found'],
    audit: change('instance.delete', 'instances', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ params }) => {
      await instances.removeAny(params.id)
      return reply(204)
    },
  }),
]
