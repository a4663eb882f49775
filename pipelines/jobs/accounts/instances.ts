/** Moves instances on when they are due, however many processes do (decisions 8.3; ADR 120). */

import type { DueInstance, DueInstances, InstanceDriver } from '../../../connectors/postgres/instances/port.ts'
import { pause } from '../../../platform/pause.ts'
import { isSettled, stateAfterAdvance } from '../../../schemas/accounts/instances/instance.ts'

export type InstanceMovePorts = {
  due: DueInstances
  driver: InstanceDriver
  /** How long a state that passes by itself lasts at least, and the pause between two questions. Milliseconds. */
  stepMs: number
  /** Unix milliseconds. */
  now: () => number
  onFailure: (error: Error) => void
}

/** Of one round, side by side. */
const AT_ONCE = 20
/** How long the instances of a process that died wait; longer than a driver takes to answer. */
const LEASE_MS = 30_000

const MAX_IDLE_MS = 500
const MAX_PAUSE_MS = 30_000

/** One round: how many instances were looked at. One that its driver fails for is told and looked at after its lease. */
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

/** Moves instances on until stopped; a failing database is told and asked again, after pauses that grow. */
export function startMovingInstances(ports: InstanceMovePorts): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const running = run(ports, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function run(ports: InstanceMovePorts, stopped: AbortSignal): Promise<void> {
  const idle = Math.min(ports.stepMs, MAX_IDLE_MS)
  let failures = 0
  while (!stopped.aborted) {
    let waitMs = idle
    try {
      if ((await moveInstancesOnce(ports)) === AT_ONCE) waitMs = 0
      failures = 0
    } catch (error) {
      ports.onFailure(error as Error)
      waitMs = Math.min(idle * 2 ** ++failures, MAX_PAUSE_MS)
    }
    await pause(waitMs, stopped)
  }
}
