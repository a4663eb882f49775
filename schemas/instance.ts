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

/** Whether it stays as it is until somebody asks for something else. */
export const isSettled = (status: InstanceStatus): boolean => stateAfter(status, 'advance') === null

/** A state that a newer version stored must not pass for one that we know. Throws. */
export function instanceStatus(text: string): InstanceStatus {
  const status = INSTANCE_STATES.find((known) => known === text)
  if (status === undefined) throw new RangeError(`unknown state of an instance: ${text}`)
  return status
}
