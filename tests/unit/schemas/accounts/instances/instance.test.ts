import { expect, test } from 'vitest'
import {
  INSTANCE_STATES,
  INSTANCE_STEPS,
  type InstanceStatus,
  instanceStatus,
  isSettled,
  stateAfter,
} from '../../../../../schemas/accounts/instances/instance.ts'

/** The whole table; what is not named is refused. */
const TABLE: Record<string, InstanceStatus> = {
  'PROVISIONING advance': 'STAGING',
  'STAGING advance': 'RUNNING',
  'STOPPING advance': 'STOPPED',
  'STOPPED start': 'STAGING',
  'RUNNING stop': 'STOPPING',
}

for (const status of INSTANCE_STATES)
  for (const step of INSTANCE_STEPS) {
    const want = TABLE[`${status} ${step}`] ?? null
    test(`${step} of ${status} leads to ${want ?? 'nothing'}`, () => expect(stateAfter(status, step)).toBe(want))
  }

test('only what runs and what is stopped stays as it is', () => {
  expect(INSTANCE_STATES.filter(isSettled)).toEqual(['RUNNING', 'STOPPED'])
})

test('a state that is not known is a fault', () => {
  expect(instanceStatus('STAGING')).toBe('STAGING')
  expect(() => instanceStatus('SUSPENDED')).toThrow('unknown state of an instance: SUSPENDED')
})
