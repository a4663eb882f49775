/** Instances of the caller's customer (decisions 8.3). */

import type { Instance, InstanceDriver, Instances } from '../../connectors/compute/port.ts'
import type { Paging, Team } from '../../connectors/team/port.ts'
import type { Identity } from '../../schemas/accounts.ts'
import { ApiError } from '../errors.ts'
import { type Member, memberOf, noMember } from './own-customer.ts'

/** What an instance is made of where its creator does not say. */
const DEFAULTS = { zone: 'zone-a', machineType: 'small', templateId: null }

type Wanted = { name: string; zone?: string; machineType?: string; templateId?: string }

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
    const instance = found(await instances.instance(customerId, id))
    if (role !== 'user' || instance.userId === userId) return instance
    throw new ApiError('forbidden', { message: 'its creator, an owner or an admin may do that' })
  }

  return {
    /** Throws 409 when the quota is used up. */
    async create(user: Identity, wanted: Wanted): Promise<Instance> {
      const { customerId, userId } = await member(user)
      const at = now()
      const made = { ...DEFAULTS, ...wanted, id: newId(), customerId, userId, createdAt: at }
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
      found(await instances.instance((await member(user)).customerId, id)),

    /** The instance after the step. Throws 409 from a state that does not allow it, and what `controlled` throws. */
    async step(user: Identity, id: string, step: 'start' | 'stop'): Promise<Instance> {
      const caller = await member(user)
      await controlled(caller, id)
      const outcome = await instances.step(caller.customerId, id, step, now() + stepMs)
      const { allowed, instance } = found(outcome)
      if (allowed) return instance
      const tried = step === 'start' ? 'started' : 'stopped'
      throw new ApiError('conflict', { message: `an instance that is ${instance.status} cannot be ${tried}` })
    },

    async remove(user: Identity, id: string): Promise<void> {
      const caller = await member(user)
      await controlled(caller, id)
      if (!(await instances.remove(caller.customerId, id))) throw noInstance()
      await driver.delete([id])
    },

    /** For `compute_admin`, whoever's it is. Throws 404. */
    async removeAny(id: string): Promise<void> {
      if (!(await instances.remove(null, id))) throw noInstance()
      await driver.delete([id])
    },
  }
}

export type InstanceService = ReturnType<typeof instanceService>

const noInstance = () => new ApiError('not_found', { message: 'no such instance', param: 'id' })

function found<T>(given: T | null): T {
  if (given === null) throw noInstance()
  return given
}
