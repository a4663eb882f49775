/** What is promised of instances over any database. */

import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { kyselyDueInstances } from '../../../connectors/postgres/accounts/instances/due-instances.ts'
import { kyselyComputeCleanup } from '../../../connectors/postgres/accounts/instances/instance-cleanup.ts'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import type { ComputeCleanup, DueInstance, Instance } from '../../../connectors/postgres/accounts/instances/port.ts'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { type Crew, crew, peopleOf } from '../../builders/accounts/team.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_800_000_000_000
const ALL = { limit: 100, offset: 0 }
const CAP = 6
const QUOTA = { service: 'compute-api', featureKey: 'max_instances' }
const TIERS: Tiers = {
  ...BUILT_IN_TIERS,
  Free: { limits: {}, quotas: { 'compute-api': { max_instances: { value: CAP, description: 'instances' } } } },
}

export function computeContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const people = during(async () => peopleOf(await open()))
    const instances = prepared(() => kyselyInstances(people.db, TIERS))
    const due = prepared(() => kyselyDueInstances(people.db))

    const instance = (team: Crew, given: Partial<Instance> = {}): Instance => ({
      id: randomUUID(),
      customerId: team.customerId,
      userId: team.user.id,
      name: `'); DROP TABLE instances; -- "€" 😀`,
      zone: 'zone-a',
      machineType: 'small',
      status: 'PROVISIONING',
      templateId: null,
      createdAt: NOW,
      ...given,
    })
    const made = async (team: Crew, given: Partial<Instance> = {}, dueAt = NOW * 2): Promise<Instance> => {
      const one = instance(team, given)
      expect(await instances.create(one, dueAt)).toBe('created')
      return one
    }
    /** Puts an instance in a state, as if it had come there by itself. */
    const placed = async (team: Crew, status: Instance['status'], given: Partial<Instance> = {}) => {
      const one = await made(team, given)
      const due_at = status === 'RUNNING' || status === 'STOPPED' ? null : new Date(NOW * 2)
      await people.db.updateTable('instances').set({ status, due_at }).where('id', '=', one.id).execute()
      return { ...one, status }
    }
    const used = async ({ customerId }: Crew): Promise<number> => {
      const usage = await kyselyQuotas(people.db, TIERS).usage(customerId)
      return usage.find(({ featureKey }) => featureKey === QUOTA.featureKey)?.used ?? 0
    }
    const listed = async ({ customerId }: Crew) => (await instances.list(customerId, ALL)).instances
    const ids = async (team: Crew) => (await listed(team)).map(({ id }) => id)
    const clean = <T>(work: (cleanup: ComputeCleanup) => Promise<T>) =>
      people.db.transaction().execute((tx) => work(kyselyComputeCleanup(tx, TIERS)))
    /** Other suites may use the same database: only what is asked for. */
    const taken = async (now: number, wanted: Instance, leaseMs = 1_000): Promise<DueInstance | undefined> =>
      (await due.take({ now, leaseMs, limit: 100 })).find(({ id }) => id === wanted.id)

    test('an instance reads back as it was made, for its customer and no other', async () => {
      const [team, others] = [await crew(people), await crew(people)]
      const one = await made(team, { templateId: 'debian' })
      expect(await instances.instance(team.customerId, one.id)).toEqual(one)
      expect(await instances.instance(others.customerId, one.id)).toBeNull()
      expect(await instances.list(others.customerId, ALL)).toEqual({ instances: [], items: 0 })
    })

    test('lists are cut from the newest on, ties by id', async () => {
      const team = await crew(people)
      const old = await made(team, { createdAt: NOW - 1 })
      const tied = [await made(team), await made(team)].map(({ id }) => id).sort()
      const page = async (offset: number) => {
        const { instances: found, items } = await instances.list(team.customerId, { limit: 2, offset })
        expect(items).toBe(3)
        return found.map(({ id }) => id)
      }
      expect([await page(0), await page(2), await page(4)]).toEqual([tied.reverse(), [old.id], []])
    })

    everywhere('the quota is taken with the row, by many at once never too often, and given back with it', async () => {
      const team = await crew(people)
      const outcomes = await Promise.all(
        Array.from({ length: 2 * CAP }, () => instances.create(instance(team), NOW * 2)),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(CAP)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(CAP)
      const [first] = await ids(team)
      expect([(await ids(team)).length, await used(team)]).toEqual([CAP, CAP])
      const removals = await Promise.all([1, 2, 3].map(() => instances.remove(team.customerId, first!)))
      expect(removals.filter(Boolean)).toHaveLength(1)
      expect([(await ids(team)).length, await used(team)]).toEqual([CAP - 1, CAP - 1])
      await made(team)
    })

    test('only a member of the customer makes one, and only its customer or the administration deletes it', async () => {
      const [team, others] = [await crew(people), await crew(people)]
      expect(await instances.create(instance(team, { userId: others.user.id }), NOW)).toBe('no member')
      expect(await instances.create(instance(team, { customerId: randomUUID() }), NOW)).toBe('no member')
      expect(await used(team)).toBe(0)
      const one = await made(team)
      expect(await instances.remove(others.customerId, one.id)).toBe(false)
      expect(await instances.remove(null, randomUUID())).toBe(false)
      expect(await instances.remove(null, one.id)).toBe(true)
      expect([await ids(team), await used(team), await used(others)]).toEqual([[], 0, 0])
    })

    everywhere('it stops and starts from where that is allowed, once of several at the same time', async () => {
      const team = await crew(people)
      const one = await placed(team, 'RUNNING')
      const step = (what: 'start' | 'stop') => instances.step(team.customerId, one.id, what, NOW)
      expect(await step('start')).toEqual({ allowed: false, instance: one })
      const stops = await Promise.all([step('stop'), step('stop')])
      expect(stops.map((outcome) => outcome?.allowed).sort()).toEqual([false, true])
      expect(await instances.instance(team.customerId, one.id)).toEqual({ ...one, status: 'STOPPING' })
      const still = await placed(team, 'STOPPED')
      expect(await instances.step(team.customerId, still.id, 'start', NOW)).toEqual({
        allowed: true,
        instance: { ...still, status: 'STAGING' },
      })
      expect(await instances.step(randomUUID(), one.id, 'stop', NOW)).toBeNull()
    })

    test('one that is due is given out once, and again when the lease has ended', async () => {
      const team = await crew(people)
      const one = await made(team, {}, NOW)
      expect(await taken(NOW - 1, one)).toBeUndefined()
      const first = await taken(NOW, one)
      expect(first).toEqual({ ...one, leaseUntil: NOW + 1_000, afterwards: null })
      expect(await taken(NOW + 999, one)).toBeUndefined()
      const second = await taken(NOW + 1_000, one)
      expect(await due.commitOutcome(first!, 'STAGING', NOW)).toBe('lost')
      expect(await due.commitOutcome(second!, 'STAGING', NOW + 3_000)).toBe('stored')
      expect((await instances.instance(team.customerId, one.id))?.status).toBe('STAGING')
      const third = await taken(NOW + 3_000, one)
      expect(await due.commitOutcome(third!, 'RUNNING', null)).toBe('stored')
      expect(await taken(NOW * 2, one)).toBeUndefined()
    })

    test('one that is deleted while it is looked at stays deleted', async () => {
      const team = await crew(people)
      const one = await made(team, {}, NOW)
      const held = await taken(NOW, one)
      await instances.remove(team.customerId, one.id)
      expect(await due.commitOutcome(held!, 'STAGING', NOW)).toBe('gone')
      expect(await ids(team)).toEqual([])
    })

    test('the end of a user ends its own instances in that customer, and the count is of the rest', async () => {
      const team = await crew(people)
      const own = [await made(team), await placed(team, 'RUNNING')].map(({ id }) => id)
      const kept = await made(team, { userId: team.admin.id })
      // What a missed clean-up has left in the count is put right.
      await kyselyQuotas(people.db, TIERS).take(team.customerId, QUOTA, 2)
      expect((await clean((cleanup) => cleanup.deleteOfUser(team.customerId, team.user.id))).sort()).toEqual(own.sort())
      expect([await ids(team), await used(team)]).toEqual([[kept.id], 1])
      expect(await clean((cleanup) => cleanup.deleteOfUser(team.customerId, team.user.id))).toEqual([])
    })

    test('the end of a customer ends all of its instances, also when its row is gone', async () => {
      const [team, others] = [await crew(people), await crew(people)]
      const kept = await made(others)
      await made(team)
      await made(team, { userId: team.owner.id })
      expect(await clean((cleanup) => cleanup.deleteOfCustomer(team.customerId))).toHaveLength(2)
      expect([await ids(team), await used(team), await ids(others)]).toEqual([[], 0, [kept.id]])
      const orphan = await made(team)
      await people.db.deleteFrom('customers').where('id', '=', team.customerId).execute()
      expect(await clean((cleanup) => cleanup.deleteOfCustomer(team.customerId))).toEqual([orphan.id])
    })

    test('a user who is disabled has what runs stopped and nothing else touched', async () => {
      const team = await crew(people)
      const running = await placed(team, 'RUNNING')
      for (const status of ['PROVISIONING', 'STAGING', 'STOPPED'] as const) await placed(team, status)
      const foreign = await placed(team, 'RUNNING', { userId: team.owner.id })
      const before = new Map((await listed(team)).map((one) => [one.id, one.status]))
      expect(await clean((cleanup) => cleanup.stopRunningOf(team.user.id))).toEqual([running.id])
      for (const one of await listed(team))
        expect(one.status).toBe(one.id === running.id ? 'STOPPING' : before.get(one.id))
      expect((await instances.instance(team.customerId, foreign.id))?.status).toBe('RUNNING')
      // Whoever moves instances on finds it at once.
      expect((await taken(NOW, running))?.status).toBe('STOPPING')
      expect(await used(team)).toBe(5)
    })

    test('a smaller subscription ends the newest above the cap alone', async () => {
      const team = await crew(people)
      const all: string[] = []
      for (let age = 0; age < 4; age++) all.push((await made(team, { createdAt: NOW - age })).id)
      const shrink = (cap: number) => clean((cleanup) => cleanup.shrinkTo(team.customerId, cap))
      expect([await shrink(-1), await shrink(4), await shrink(9)]).toEqual([[], [], []])
      expect((await shrink(2)).sort()).toEqual(all.slice(0, 2).sort())
      expect([await ids(team), await used(team)]).toEqual([all.slice(2), 2])
      expect(await shrink(0)).toHaveLength(2)
      expect([await ids(team), await used(team)]).toEqual([[], 0])
    })

    everywhere('the count is right however creations, removals and clean-up meet', async () => {
      const team = await crew(people)
      for (let round = 0; round < 10; round++) {
        const [some] = await ids(team)
        await Promise.all([
          instances.create(instance(team), NOW),
          instances.create(instance(team, { userId: team.admin.id }), NOW),
          ...(some === undefined ? [] : [instances.remove(team.customerId, some), instances.remove(null, some)]),
          clean((cleanup) =>
            round % 2 === 0
              ? cleanup.shrinkTo(team.customerId, 1)
              : cleanup.deleteOfUser(team.customerId, team.user.id),
          ),
        ])
        expect(await used(team)).toBe((await ids(team)).length)
      }
    })
  })
}
