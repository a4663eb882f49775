import { expect, test, vi } from 'vitest'
import type {
  DueInstance,
  DueInstances,
  InstanceDriver,
} from '../../../../../connectors/postgres/accounts/instances/port.ts'
import {
  type InstanceMovePorts,
  moveInstancesOnce,
  startMovingInstances,
} from '../../../../../pipelines/jobs/accounts/instances-job.ts'
import type { InstanceStatus } from '../../../../../schemas/accounts/instances/instance.ts'

const NOW = 1_800_000_000_000

const one = (status: InstanceStatus, id = 'one'): DueInstance => ({
  id,
  customerId: 'customer',
  userId: 'user',
  name: 'lab',
  zone: 'zone-a',
  machineType: 'small',
  status,
  templateId: null,
  createdAt: NOW,
  leaseUntil: NOW + 1,
  afterwards: null,
})

/** What the driver was asked, and what was stored. */
function stage(
  taken: DueInstance[],
  settled: 'stored' | 'lost' | 'gone' = 'stored',
  driven: Partial<InstanceDriver> = {},
) {
  const asked: string[] = []
  const stored: unknown[] = []
  const failures: string[] = []
  const answer = (name: string) => async () => {
    asked.push(name)
    return 'done' as const
  }
  const due: DueInstances = {
    take: async () => taken.splice(0),
    nextAt: async () => null,
    commitOutcome: async ({ id }, status, dueAt) => {
      stored.push([id, status, dueAt])
      return settled
    },
  }
  const driver: InstanceDriver = {
    create: answer('create'),
    start: answer('start'),
    stop: answer('stop'),
    delete: async (ids) => void asked.push(`delete ${ids}`),
    ...driven,
  }
  const onFailure = (error: Error) => void failures.push(error.message)
  const ports: InstanceMovePorts = { due, driver, stepMs: 500, now: () => NOW, onFailure }
  return { ports, asked, stored, failures }
}

test('each state that passes is asked for its own step, and what stays is not looked at again', async () => {
  const { ports, asked, stored } = stage([one('PROVISIONING', 'a'), one('STAGING', 'b'), one('STOPPING', 'c')])
  expect(await moveInstancesOnce(ports)).toBe(3)
  expect(asked).toEqual(['create', 'start', 'stop'])
  expect(stored).toEqual([
    ['a', 'STAGING', NOW + 500],
    ['b', 'RUNNING', null],
    ['c', 'STOPPED', null],
  ])
})

test('while the driver works the state stays, and is asked for again', async () => {
  const { ports, stored } = stage([one('STAGING')], 'stored', { start: async () => 'working' })
  await moveInstancesOnce(ports)
  expect(stored).toEqual([['one', 'STAGING', NOW + 500]])
})

test('what was made for an instance that is deleted meanwhile goes too; a lost lease deletes nothing', async () => {
  const gone = stage([one('PROVISIONING')], 'gone')
  await moveInstancesOnce(gone.ports)
  expect(gone.asked).toEqual(['create', 'delete one'])
  const lost = stage([one('PROVISIONING')], 'lost')
  await moveInstancesOnce(lost.ports)
  expect(lost.asked).toEqual(['create'])
})

test('an instance that its driver fails for keeps no other waiting', async () => {
  const create = async (): Promise<never> => {
    throw new Error('no room in that zone')
  }
  const { ports, stored, failures } = stage([one('PROVISIONING', 'a'), one('STOPPING', 'b')], 'stored', { create })
  expect(await moveInstancesOnce(ports)).toBe(2)
  expect(failures).toEqual(['no room in that zone'])
  expect(stored).toEqual([['b', 'STOPPED', null]])
})

test('a database that fails is asked again until it is stopped', async () => {
  let asks = 0
  const { ports, failures } = stage([])
  const take = async (): Promise<never> => {
    asks++
    throw new Error('the database is gone')
  }
  // The pauses that grow begin at two steps.
  const moving = startMovingInstances({ ...ports, stepMs: 1, due: { ...ports.due, take } })
  await vi.waitFor(() => expect(asks).toBeGreaterThan(2))
  await moving.stop()
  expect(failures).toEqual(Array.from({ length: asks }, () => 'the database is gone'))
})
