/** Instances of the caller's customer (decisions 8.3). */

import type {
  Instance,
  InstanceDriver,
  InstanceQuestion,
  Instances,
} from '../../../connectors/postgres/accounts/instances/port.ts'
import type { Paging, Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { TEMPLATES } from '../../../schemas/accounts/instances/instance-templates.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { type Member, memberOf, noMember } from './team/own-customer.ts'

/** What an instance is made of where its creator does not say. */
const DEFAULTS = { zone: 'zone-a', machineType: 'small', templateId: null }

type Wanted = { name?: string; zone?: string; machineType?: string; templateId?: string }

export const USER_STEPS = ['start', 'stop', 'restart', 'reset'] as const
export type UserStep = (typeof USER_STEPS)[number]

const TRIED: Record<UserStep, string> = { start: 'started', stop: 'stopped', restart: 'restarted', reset: 'reset' }

export type InstancePorts = {
  team: Pick<Team, 'membership'>
  instances: Instances
  driver: Pick<InstanceDriver, 'delete'>
  /** How long a state that passes by itself lasts at least, in milliseconds. */
  stepMs: number
  now: () => number
  newId: () => string
}

export function instanceService({ team, instances, driver, stepMs, now, newId }: InstancePorts) {
  const member = memberOf(team)

  /** Throws 404, and 403 for a member who neither created it nor is owner or admin. */
  const controlled = async ({ customerId, userId, role }: Member, id: string): Promise<Instance> => {
    const instance = requireInstance(await instances.instance(customerId, id))
    if (role !== 'user' || instance.userId === userId) return instance
    throw new ApiError('forbidden', { message: 'only the creator of the instance, an owner or an admin may do this' })
  }

  const taken = async (customerId: string | null, id: string, step: UserStep): Promise<Instance> => {
    const dueAt = now() + stepMs
    const outcome =
      step === 'start' || step === 'stop'
        ? await instances.step(customerId, id, step, dueAt)
        : await instances.renew(customerId, id, step, dueAt)
    const { allowed, instance } = requireInstance(outcome)
    if (allowed) return instance
    throw new ApiError('conflict', { message: `an instance in state ${instance.status} cannot be ${TRIED[step]}` })
  }

  return {
    /** What a template says holds unless it is said otherwise. Throws 400 for neither a name nor a template, 409 when the
     * quota is used up. */
    async create(user: Identity, wanted: Wanted): Promise<Instance> {
      const { customerId, userId } = await member(user)
      const at = now()
      const template = TEMPLATES.find(({ id }) => id === wanted.templateId)
      const id = newId()
      const machine = template === undefined ? {} : { machineType: template.machineType, zone: template.zones[0] }
      const named = { name: wanted.name ?? instanceName(id, wanted.templateId) }
      const made = { ...DEFAULTS, ...machine, ...wanted, ...named, id, customerId, userId, createdAt: at }
      const instance: Instance = { ...made, status: 'PROVISIONING' }
      const outcome = await instances.create(instance, at + stepMs)
      if (outcome === 'full') throw new ApiError('quota_exceeded')
      if (outcome === 'no member') throw noMember()
      return instance
    },

    /** All of the customer, newest first. */
    async list(user: Identity, { limit, page }: Paging) {
      const { customerId } = await member(user)
      return instances.list(customerId, { limit, offset: (page - 1) * limit })
    },

    /** Throws 404 for none and for another customer's. */
    get: async (user: Identity, id: string): Promise<Instance> =>
      requireInstance(await instances.instance((await member(user)).customerId, id)),

    /** Of any customer, for `compute_admin`. */
    find: ({ limit, page, ...wanted }: Paging & Omit<InstanceQuestion, 'limit' | 'offset'>) =>
      instances.find({ ...wanted, limit, offset: (page - 1) * limit }),

    getAny: async (id: string): Promise<Instance> => requireInstance(await instances.instance(null, id)),

    /** For `compute_admin`: the instance of any user. Throws 404, and 409 as `step`. */
    stepAny: (id: string, step: UserStep): Promise<Instance> => taken(null, id, step),

    /** The instance after the step. Throws 409 from a state that does not allow it, and what `controlled` throws. */
    async step(user: Identity, id: string, step: UserStep): Promise<Instance> {
      const caller = await member(user)
      await controlled(caller, id)
      return taken(caller.customerId, id, step)
    },

    async remove(user: Identity, id: string): Promise<void> {
      const caller = await member(user)
      await controlled(caller, id)
      if (!(await instances.remove(caller.customerId, id))) throw noInstance()
      await driver.delete([id])
    },

    /** For `compute_admin`: the instance of any user. Throws 404. */
    async removeAny(id: string): Promise<void> {
      if (!(await instances.remove(null, id))) throw noInstance()
      await driver.delete([id])
    },
  }
}

export type InstanceService = ReturnType<typeof instanceService>

/** Of an instance that was made of a template and not named. Throws 400 where there is nothing to name it by. */
function instanceName(id: string, templateId: string | undefined): string {
  if (templateId === undefined) throw invalid('name', 'is required')
  return `${templateId.slice(0, 80)}-${id.slice(-8)}`
}

const noInstance = () => new ApiError('not_found', { message: 'no such instance', param: 'id' })

function requireInstance<T>(given: T | null): T {
  if (given === null) throw noInstance()
  return given
}
