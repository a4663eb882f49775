/** Moves instances on when they are due, however many processes do (decisions 8.3; ADR 277). */

import type { DueInstance, DueInstances, InstanceDriver } from '../../../connectors/postgres/accounts/instances/port.ts'
import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { isSettled, stateAfterAdvance } from '../../../schemas/accounts/instances/instance.ts'
import { idleWait } from '../../runtime/leases/idle-wait.ts'

export type InstanceMovePorts = {
  due: DueInstances
  driver: InstanceDriver
  /** How long a state that passes by itself lasts at least, and the pause between two questions. Milliseconds. */
  stepMs: number
  /** Unix milliseconds. */
  now: () => number
  /** Which commits made something due; default: what is due is looked for every step, half a second at most. */
  work?: WorkSignals
  onFailure: (error: Error) => void
}

/** Of one round, side by side. */
const AT_ONCE = 20
/** How long the instances of a process that died wait; longer than a driver takes to answer. */
const LEASE_MS = 30_000

const MAX_IDLE_MS = 500
const MAX_PAUSE_MS = 30_000

/**
 * One round; returns how many instances were checked. An instance whose driver fails is logged and checked again
 * after its lease.
 */
export async function moveInstancesOnce(ports: InstanceMovePorts): Promise<number> {
  const taken = await ports.due.take({ now: ports.now(), leaseMs: LEASE_MS, limit: AT_ONCE })
  await Promise.all(taken.map((instance) => moveInstance(ports, instance).catch(ports.onFailure)))
  return taken.length
}

async function moveInstance({ due, driver, stepMs, now }: InstanceMovePorts, instance: DueInstance): Promise<void> {
  const work = { PROVISIONING: driver.create, STAGING: driver.start, STOPPING: driver.stop } as const
  const ask = work[instance.status as keyof typeof work]
  const next = stateAfterAdvance(instance.status, instance.afterwards)
  if (ask === undefined || next === null)
    throw new Error(`instance ${instance.id} in state ${instance.status} has no next step`)
  const done = (await ask(instance)) === 'done'
  // Made anew: what it used goes before it is made.
  if (done && next === 'PROVISIONING') await driver.delete([instance.id])
  const status = done ? next : instance.status
  const outcome = await due.commitOutcome(instance, status, isSettled(status) ? null : now() + stepMs)
  // Deleted while the driver was at it: what was made for it since goes too.
  if (outcome === 'gone') await driver.delete([instance.id])
}

/** Advances instances until stopped; a failure of the database is logged and retried after growing pauses. */
export function startMovingInstances(ports: InstanceMovePorts): { stop: () => Promise<void> } {
  const { due, work = unheard, now } = ports
  const idleMs = Math.min(ports.stepMs, MAX_IDLE_MS)
  const rounds = startRounds({
    async round() {
      if ((await moveInstancesOnce(ports)) === AT_ONCE) return 0
      return idleWait({ work, idleMs, now, nextAt: due.nextAt })
    },
    onFailure: ports.onFailure,
    failedMs: idleMs,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const unwatch = work.on('instances', rounds.wake)
  return {
    async stop() {
      unwatch()
      await rounds.stop()
    },
  }
}
