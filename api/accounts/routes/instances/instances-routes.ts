/** Instances of the caller's customer (specification 3.3, decisions 8.3). */

import { Type } from 'typebox'
import type { Instance } from '../../../../connectors/postgres/accounts/instances/port.ts'
import { INSTANCE_STATES } from '../../../../schemas/accounts/instances/instance.ts'
import { TEMPLATES } from '../../../../schemas/accounts/instances/instance-templates.ts'
import { MEMBER_ROLES } from '../../../../schemas/accounts/team.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import { CLOSED, idParam, text, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { InstanceService, UserStep } from '../../services/instances-service.ts'
import type { TeamService } from '../../services/team/team-service.ts'

const word = () => Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$', maxLength: 63 })

const NewInstance = Type.Object(
  {
    name: Type.Optional({ ...text(1, 100), description: 'Default: derived from the template and the id.' }),
    zone: Type.Optional(word()),
    machineType: Type.Optional(word()),
    templateId: Type.Optional(text(1, 128)),
    templateID: Type.Optional({ ...text(1, 128), description: 'The same as `templateId`.' }),
  },
  CLOSED,
)

const TemplateRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  machineType: Type.String(),
  diskSizeGb: Type.Integer(),
  diskType: Type.String(),
  image: Type.String(),
  region: Type.String(),
})

export const InstanceRecord = Type.Object({
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

export const shownInstance = ({ userId, customerId, createdAt, ...instance }: Instance) => ({
  ...instance,
  userID: userId,
  customerID: customerId,
  createdAt: new Date(createdAt).toISOString(),
})

/** One page holds what a customer usually has: clients of this list do not turn pages. */
const all = Type.Object({
  page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000_000 }),
  limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }),
})

const PATH = '/api/compute/v1/instances'

export function instanceRoutes(instances: InstanceService, team: TeamService): Route[] {
  const common = {
    tag: 'Compute',
    access: 'authenticated',
    scope: 'account',
    permit: team.permit(MEMBER_ROLES, 'forbidden'),
  } as const

  const step = (name: UserStep, summary: string): Route =>
    route({
      ...common,
      method: 'post',
      path: `${PATH}/{id}/${name}`,
      id: `${name}Instance`,
      summary,
      codes: ['not_found', 'conflict'],
      audit: change(`instance.${name}`, 'instances', { param: 'id' }),
      params: idParam,
      responses: { 202: InstanceRecord },
      handler: async ({ user, params }) => reply(202, shownInstance(await instances.step(user, params.id, name))),
    })

  return [
    route({
      ...common,
      method: 'post',
      path: PATH,
      id: 'createInstance',
      summary: 'Create an instance. 409 if the quota is used up.',
      codes: ['quota_exceeded'],
      examples: { words: { name: 'sensor-1' } },
      audit: change('instance.make', 'instances', 'made'),
      body: NewInstance,
      responses: { 202: InstanceRecord },
      limit: { service: 'compute-api', features: ['create_instance_per_minute'] },
      handler: async ({ user, body: { templateID, ...wanted } }) => {
        const { templateId = templateID } = wanted
        if (templateID !== undefined && templateID !== templateId)
          throw invalid('templateID', 'differs from templateId')
        const made = { ...wanted, ...(templateId === undefined ? {} : { templateId }) }
        return reply(202, shownInstance(await instances.create(user, made)))
      },
    }),
    route({
      ...common,
      method: 'get',
      path: PATH,
      id: 'listInstances',
      summary: 'List all instances of the caller’s customer.',
      query: all,
      responses: {
        200: Type.Array(InstanceRecord, {
          description: 'newest first; the header `x-total-count` holds the total number',
        }),
      },
      handler: async ({ user, query }) => {
        const { instances: found, items } = await instances.list(user, query)
        return reply(200, found.map(shownInstance), { 'x-total-count': String(items) })
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `${PATH}/{id}`,
      id: 'getInstance',
      summary: 'Get an instance.',
      codes: ['not_found'],
      params: idParam,
      responses: { 200: InstanceRecord },
      handler: async ({ user, params }) => reply(200, shownInstance(await instances.get(user, params.id))),
    }),
    step('start', 'Start a stopped instance. Allowed for its creator, owners and admins. 409 in any other state.'),
    step('stop', 'Stop a running instance. Allowed for its creator, owners and admins. 409 in any other state.'),
    step('restart', 'Restart a running instance. Allowed for its creator, owners and admins.'),
    step(
      'reset',
      'Reset a running or stopped instance to its initial state. Allowed for its creator, owners and admins.',
    ),
    route({
      tag: 'Compute',
      access: 'authenticated',
      scope: 'account',
      method: 'get',
      path: '/api/compute/v1/templates',
      id: 'listTemplates',
      summary: 'List the instance templates.',
      examples: { words: { id: 'workbench' } },
      responses: { 200: Type.Array(TemplateRecord) },
      handler: () =>
        reply(
          200,
          TEMPLATES.map(({ zones: _, ...template }) => template),
        ),
    }),
    route({
      tag: 'Compute',
      access: 'authenticated',
      scope: 'account',
      method: 'get',
      path: '/api/compute/v1/templates/{id}/zones',
      id: 'listZones',
      summary: 'List the zones in which a template is available.',
      codes: ['not_found'],
      examples: { words: { id: 'workbench' } },
      params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
      responses: { 200: Type.Array(Type.String()) },
      handler: ({ params }) => {
        const template = TEMPLATES.find(({ id }) => id === params.id)
        if (template === undefined) throw new ApiError('not_found', { message: 'no such template', param: 'id' })
        return reply(200, [...template.zones])
      },
    }),
    route({
      ...common,
      method: 'delete',
      path: `${PATH}/{id}`,
      id: 'deleteInstance',
      summary: 'Delete an instance in any state. Allowed for its creator, owners and admins.',
      codes: ['not_found'],
      audit: change('instance.delete', 'instances', { param: 'id' }),
      params: idParam,
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await instances.remove(user, params.id)
        return reply(204)
      },
    }),
  ]
}
