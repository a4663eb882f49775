/** States of an instance and the steps between them (specification 3.3, decisions 8.3). Pure. */

export const INSTANCE_STATES = ['PROVISIONING', 'STAGING', 'RUNNING', 'STOPPING', 'STOPPED'] as const
export type InstanceStatus = (typeof INSTANCE_STATES)[number]

/** `advance`: what was begun is done. Deleting is possible in every state and leaves none. */
export const INSTANCE_STEPS = ['advance', 'start', 'stop'] as const
export type InstanceStep = (typeof INSTANCE_STEPS)[number]

const STEPS: Record<InstanceStep, Partial<Record<InstanceStatus, InstanceStatus>>> = {
  advance: { PROVISIONING: 'STAGING', STAGING: 'RUNNING', STOPPING: 'STOPPED' },
  start: { STOPPED: 'STAGING' },
  stop: { RUNNING: 'STOPPING' },
}

/** The state after a step; null: the state does not allow it. */
export const stateAfter = (status: InstanceStatus, step: InstanceStep): InstanceStatus | null =>
  STEPS[step][status] ?? null

/** Whether the state stays until the next request of a user. */
export const isSettled = (status: InstanceStatus): boolean => stateAfter(status, 'advance') === null

/**
 * What an instance goes on with once it has stopped. `restart`: it runs again as it is; `reset`: it is made anew, as it was
 * at first.
 */
export const AFTERWARDS = ['restart', 'reset'] as const
export type Afterwards = (typeof AFTERWARDS)[number]

/** States from which each may be requested; both pass through STOPPING. */
const RENEWABLE: Record<Afterwards, readonly InstanceStatus[]> = {
  restart: ['RUNNING'],
  reset: ['RUNNING', 'STOPPED'],
}

export const mayRenew = (status: InstanceStatus, afterwards: Afterwards): boolean =>
  RENEWABLE[afterwards].includes(status)

/** The state after a step that passed by itself; an instance that has stopped goes on with the requested action. */
export function stateAfterAdvance(status: InstanceStatus, afterwards: Afterwards | null): InstanceStatus | null {
  if (status !== 'STOPPING' || afterwards === null) return stateAfter(status, 'advance')
  return afterwards === 'restart' ? 'STAGING' : 'PROVISIONING'
}

/** Throws for a word that a newer version stored. */
export function afterwardsOf(text: string | null): Afterwards | null {
  if (text === null) return null
  const known = AFTERWARDS.find((word) => word === text)
  if (known === undefined) throw new RangeError(`unknown step of an instance: ${text}`)
  return known
}

/** A state that a newer version stored must not pass for one that we know. Throws. */
export function instanceStatus(text: string): InstanceStatus {
  const status = INSTANCE_STATES.find((known) => known === text)
  if (status === undefined) throw new RangeError(`unknown state of an instance: ${text}`)
  return status
}
