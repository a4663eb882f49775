/** Instances of the caller's customer (specification 3.3, decisions 8.3). */

import { Type } from 'typebox'
import type { Instance } from '../../connectors/compute/port.ts'
import { INSTANCE_STATES } from '../../schemas/instance.ts'
import { MEMBER_ROLES } from '../../schemas/team.ts'
import { CLOSED, idParam, pagesOf, paging, text, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { InstanceService } from '../services/instances.ts'
import type { TeamService } from '../services/team.ts'

const word = () => Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$', maxLength: 63 })

const NewInstance = Type.Object(
  {
    name: text(1, 100),
    zone: Type.Optional(word()),
    machineType: Type.Optional(word()),
    templateId: Type.Optional(text(1, 128)),
  },
  CLOSED,
)

const InstanceRecord = Type.Object({
  id: uuid,
  userID: uuid,
  customerID: uuid,
  name: Type.String(),
  zone: Type.String(),
  machineType: Type.String(),
  status: Type.Enum([...INSTANCE_STATES]),
  templateId: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String({ format: 'date-time' }),
})

const shown = ({ userId, customerId, createdAt, ...instance }: Instance) => ({
  ...instance,
  userID: userId,
  customerID: customerId,
  createdAt: new Date(createdAt).toISOString(),
})

const Listed = Type.Object({
  instances: Type.Array(InstanceRecord, { description: 'newest first' }),
  items: Type.Integer({ description: 'all instances of the customer' }),
  pages: Type.Integer(),
})

const PATH = '/api/compute/v1/instances'

export function instanceRoutes(instances: InstanceService, team: TeamService): Route[] {
  const common = {
    tag: 'Compute',
    access: 'authenticated',
    permit: team.permit(MEMBER_ROLES, 'forbidden'),
  } as const

  const step = (name: 'start' | 'stop', summary: string): Route =>
    route({
      ...common,
      method: 'post',
      path: `${PATH}/{id}/${name}`,
      summary,
      params: idParam,
      responses: { 202: InstanceRecord },
      handler: async ({ user, params }) => reply(202, shown(await instances.step(user, params.id, name))),
    })

  return [
    route({
      ...common,
      method: 'post',
      path: PATH,
      summary: 'Create an instance. 409 when the quota is used up.',
      body: NewInstance,
      responses: { 202: InstanceRecord },
      limit: { service: 'compute-api', features: ['create_instance_per_minute'] },
      handler: async ({ user, body }) => reply(202, shown(await instances.create(user, body))),
    }),
    route({
      ...common,
      method: 'get',
      path: PATH,
      summary: 'The instances of the caller’s customer, whoever created them.',
      query: paging,
      responses: { 200: Listed },
      handler: async ({ user, query }) => {
        const { instances: found, items } = await instances.list(user, query)
        return reply(200, { instances: found.map(shown), items, pages: pagesOf(items, query.limit) })
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `${PATH}/{id}`,
      summary: 'One instance.',
      params: idParam,
      responses: { 200: InstanceRecord },
      handler: async ({ user, params }) => reply(200, shown(await instances.get(user, params.id))),
    }),
    step('start', 'Start a stopped instance: for its creator, owners and admins. 409 in another state.'),
    step('stop', 'Stop a running instance: for its creator, owners and admins. 409 in another state.'),
    route({
      ...common,
      method: 'delete',
      path: `${PATH}/{id}`,
      summary: 'Delete an instance in any state: for its creator, owners and admins.',
      params: idParam,
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await instances.remove(user, params.id)
        return reply(204)
      },
    }),
    route({
      tag: 'Compute',
      access: 'compute_admin',
      method: 'delete',
      path: '/api/compute/v1/admin/instances/{id}',
      summary: 'Delete an instance of any customer.',
      params: idParam,
      responses: { 204: null },
      handler: async ({ params }) => {
        await instances.removeAny(params.id)
        return reply(204)
      },
    }),
  ]
}
