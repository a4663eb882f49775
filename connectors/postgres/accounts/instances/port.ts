/** Instances of customers: rows of the accounts database, what moves them on, and what clean-up does to them. */

import type { Afterwards, InstanceStatus, InstanceStep } from '../../../../schemas/accounts/instances/instance.ts'

export type Instance = {
  /** UUID. */
  id: string
  customerId: string
  /** Who created it. */
  userId: string
  name: string
  zone: string
  machineType: string
  status: InstanceStatus
  templateId: string | null
  /** Unix milliseconds. */
  createdAt: number
}

export type InstanceQuestion = {
  userId?: string | undefined
  customerId?: string | undefined
  status?: InstanceStatus | undefined
  zone?: string | undefined
  templateId?: string | undefined
  limit: number
  offset: number
}

/** The instance queries of the API. A deleted instance does not exist for them. */
export interface Instances {
  /**
   * Stores an instance and takes one of `max_instances`, both or neither; it is looked at first at `dueAt` (Unix
   * milliseconds). `full`: the quota is used up. `no member`: the customer, or the creator's membership, is gone.
   */
  create(instance: Instance, dueAt: number): Promise<'created' | 'full' | 'no member'>
  /** null: the customer has no such instance. `customerId` null: whoever's it is. */
  instance(customerId: string | null, id: string): Promise<Instance | null>
  /** Newest first; `items` counts all. */
  list(customerId: string, page: { limit: number; offset: number }): Promise<{ instances: Instance[]; items: number }>
  /**
   * Takes a step, decided on the state that nobody else changes meanwhile; `allowed` false: it stays as it was.
   * `customerId` null: whoever's it is.
   */
  step(
    customerId: string | null,
    id: string,
    step: Exclude<InstanceStep, 'advance'>,
    dueAt: number,
  ): Promise<{ allowed: boolean; instance: Instance } | null>
  /** Stops it and has it go on from there; `customerId` null: whoever's it is. As `step` otherwise. */
  renew(customerId: string | null, id: string, afterwards: Afterwards, dueAt: number): ReturnType<Instances['step']>
  /** Of all customers, newest first; `items` counts all that match. */
  find(wanted: InstanceQuestion): Promise<{ instances: Instance[]; items: number }>
  /** Deletes and gives back its quota. `customerId` null: whoever's it is. False: no such instance. */
  remove(customerId: string | null, id: string): Promise<boolean>
}

/** An instance that is due, until the end of its lease. Times are Unix milliseconds. */
export type DueInstance = Instance & { leaseUntil: number; afterwards: Afterwards | null }

/** What moves instances on. */
export interface DueInstances {
  /** The longest due of those that are, at most `limit`; nobody else is given them before the lease ends. */
  take(given: { now: number; leaseMs: number; limit: number }): Promise<DueInstance[]>
  /** When the next one is due, Unix milliseconds; null: none is. */
  nextAt(): Promise<number | null>
  /** Stores the state after a look, and when to look again. `lost`: the lease ended before. `gone`: it was deleted. */
  commitOutcome(due: DueInstance, status: InstanceStatus, dueAt: number | null): Promise<'stored' | 'lost' | 'gone'>
}

/**
 * What carries instances out. Every call may be repeated with the same instance and then changes nothing more. `done`:
 * the state is reached; `working`: ask again.
 */
export interface InstanceDriver {
  /** Makes what an instance needs: ends PROVISIONING. */
  create(instance: Instance): Promise<'done' | 'working'>
  /** Lets it run: ends STAGING. */
  start(instance: Instance): Promise<'done' | 'working'>
  /** Ends STOPPING; everything is kept. */
  stop(instance: Instance): Promise<'done' | 'working'>
  /** Frees what instances that are no longer stored, or are made anew, have used; unknown ids are none. */
  delete(ids: readonly string[]): Promise<void>
}

/** Clean-up inside of a transaction of the caller: kyselyComputeCleanup(tx, tiers). */
export interface ComputeCleanup {
  /** Deletes the user's own instances of the customer; sets the quota counter to what remains. Ids deleted. */
  deleteOfUser(customerId: string, userId: string): Promise<string[]>
  /** Every instance of the customer, whoever owns it; sets the counter to 0 when the customer still exists. */
  deleteOfCustomer(customerId: string): Promise<string[]>
  /** RUNNING ones of the user are stopped; STAGING and PROVISIONING are left; nothing is deleted. */
  stopRunningOf(userId: string): Promise<string[]>
  /** Deletes newest first, only above `cap` (-1: none); sets the counter. */
  shrinkTo(customerId: string, cap: number): Promise<string[]>
}
