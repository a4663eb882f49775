/** What is promised of alerts over any database: how they are stored, and how long. */

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { test as everywhere, expect } from 'vitest'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/alert-store.ts'
import type { Alert, AlertProgress, AlertReader } from '../../../connectors/postgres/casework/alerts/port.ts'
import { alertFold } from '../../../pipelines/processors/casework/alert-fold.ts'
import type { AlertStep } from '../../../pipelines/processors/casework/look-at.ts'
import { type FiredAlert, utcDay } from '../../../schemas/casework/alert.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { addAlerts } from '../../builders/accounts/alerts.ts'
import { firedAlert } from '../../builders/accounts/casework/fired.ts'
import { watchedOf } from '../../builders/accounts/casework/watched.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { NOW, owner, type World } from './world.ts'

const DAY = 86_400_000
const reader = (of: Owner): AlertReader => ({ ...of, groups: ['public'] })

export function alertPromises(world: World, test: Test = everywhere): void {
  const writer = () => kyselyAlertStore(world.people.db).writer
  /** A partition of its own for each test: they share the database. */
  const partition = () => Math.floor(Math.random() * 2 ** 31)
  const nowhere = (): AlertProgress => ({ partition: partition(), moves: [] })
  const store = (
    fired: readonly FiredAlert[],
    now = NOW,
    withdrawn: readonly { itemId: string; entityId: string }[] = [],
  ) => writer().store({ withdrawn, fired }, nowhere(), now)
  const listed = async (of: Owner): Promise<Alert[]> => {
    const found = await world.casework.alerts.list(reader(of), { limit: 500, before: null, unread: false, state: null })
    return found === 'no alert' ? expect.unreachable() : found
  }

  test('an alert is made once, counts up when it repeats, and is new again when its user has dealt with it', async () => {
    const of = owner(await crew(world.people))
    const one = firedAlert({ owner: of, reputation: -1 })
    expect(await store([one])).toEqual({ made: 1, repeated: 0, withdrawn: 0 })
    await world.casework.alerts.change(reader(of), one.id, { state: 'handled', note: 'seen' })
    const again = { ...one, count: 2, reputation: -3, offset: 7, matchedOn: 'never another' }
    expect(await store([again, firedAlert({ owner: of })], NOW + 5)).toEqual({ made: 1, repeated: 1, withdrawn: 0 })
    const found = (await listed(of)).find(({ id }) => id === one.id)
    expect(found).toMatchObject({ count: 3, reputation: -3, matchedOn: one.matchedOn, state: 'new', note: 'seen' })
    expect(found).toMatchObject({ createdAt: NOW, lastAt: NOW + 5, withdrawnAt: null })
  })

  test('of an item and an entity the last alert is withdrawn, and a new entry on its day clears that', async () => {
    const of = owner(await crew(world.people))
    const earlier = firedAlert({ owner: of })
    const later = { ...earlier, id: randomUUID() }
    const other = { ...earlier, id: randomUUID(), itemId: randomUUID() }
    await store([earlier, other], NOW)
    await store([later], NOW + DAY)
    const what = { itemId: earlier.itemId, entityId: earlier.entityId }
    expect(await store([], NOW + DAY + 1, [what])).toEqual({ made: 0, repeated: 0, withdrawn: 1 })
    const withdrawn = async () => (await listed(of)).filter((alert) => alert.withdrawnAt !== null)
    expect((await withdrawn()).map(({ id, withdrawnAt }) => [id, withdrawnAt])).toEqual([[later.id, NOW + DAY + 1]])
    expect(await store([], NOW + DAY + 2, [what])).toMatchObject({ withdrawn: 0 })
    await store([later], NOW + DAY + 3, [what])
    expect(await withdrawn()).toEqual([])
    await store([{ ...later, withdrawn: true }], NOW + DAY + 4)
    expect(await withdrawn()).toMatchObject([{ id: later.id, count: 3 }])
  })

  test('what was looked at is stored with how far that was, and nothing beside somebody who was as far', async () => {
    const of = owner(await crew(world.people))
    const p = partition()
    const move = (from: number | null, to: number, fired: FiredAlert[]) =>
      writer().store({ withdrawn: [], fired }, { partition: p, moves: [{ source: 3, from, to }] }, NOW)
    expect(await writer().positions(p)).toEqual(new Map())
    expect(await move(null, 10, [firedAlert({ owner: of })])).toMatchObject({ made: 1 })
    expect(await move(null, 10, [firedAlert({ owner: of })])).toBe('moved')
    expect(await move(9, 20, [firedAlert({ owner: of })])).toBe('moved')
    expect(await writer().positions(p)).toEqual(new Map([[3, 10]]))
    const rivals = await Promise.all([1, 2, 3].map(() => move(10, 20, [firedAlert({ owner: of })])))
    expect(rivals.filter((outcome) => outcome === 'moved')).toHaveLength(2)
    expect(await listed(of)).toHaveLength(2)
    expect(await writer().positions(p)).toEqual(new Map([[3, 20]]))
  })

  test('nobody gets an alert who is no member of the customer any more', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    const stranger = { ...owner(team), userId: others.user.id }
    const gone = { customerId: randomUUID(), userId: team.user2.id }
    const fired = [stranger, gone, owner(team)].map((of) => firedAlert({ owner: of }))
    expect(await store(fired)).toEqual({ made: 1, repeated: 0, withdrawn: 0 })
    expect(await listed(owner(team))).toHaveLength(1)
  })

  test('many alerts are stored together, whatever the values in them are', async () => {
    const of = owner(await crew(world.people))
    const hostile = `'); DROP TABLE casework_alerts; --\n\t"€" 😀`
    const many = Array.from({ length: 1_203 }, (_, n) =>
      firedAlert({ owner: of, entityValue: hostile, matchedOn: hostile, readableBy: ['public', hostile], offset: n }),
    )
    expect(await store(many)).toMatchObject({ made: 1_203 })
    const again = many.slice(0, 700)
    const left = many.map(({ itemId, entityId }) => ({ itemId, entityId }))
    expect(await store(again, NOW + 1, left)).toMatchObject({ made: 0, repeated: 700, withdrawn: 1_203 })
    expect((await listed(of))[0]).toMatchObject({ entityValue: hostile, matchedOn: hostile })
  })

  test('alerts are removed by their age, so many at a time', async () => {
    const of = owner(await crew(world.people))
    const old = [0, 1, 2].map((n) => ({ customer_id: of.customerId, user_id: of.userId, created_at: new Date(n) }))
    await addAlerts(world.people.db, old)
    const [kept] = await addAlerts(world.people.db, [{ ...old[0]!, created_at: new Date(DAY) }])
    const gone: number[] = []
    for (let left = 1; left > 0; ) {
      left = await writer().sweep(DAY, 2)
      expect(left).toBeLessThanOrEqual(2)
      gone.push(left)
    }
    expect(gone.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(3)
    expect((await listed(of)).map(({ id }) => id)).toEqual([kept])
  })

  test('what is gathered of any steps and cut anywhere leaves the alerts that each step by itself leaves', async () => {
    const { items } = watchedOf([1, 2].map((n) => ({ watch: { kind: 'type', value: n === 1 ? 'ip' : 'domain' } })))
    const step = fc.record({
      does: fc.constantFrom('fire' as const, 'fire' as const, 'withdraw' as const),
      item: fc.nat(1),
      entity: fc.nat(1),
      later: fc.constantFrom(0, 0, 0, DAY),
      cut: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const of = owner(await crew(world.people))
        // Ids of their own, as all runs share the database.
        const own = items.map((item) => ({
          ...item,
          id: randomUUID(),
          list: { ...item.list, id: randomUUID(), owner: of },
        }))
        const fold = alertFold()
        const model = new Map<string, { count: number; withdrawn: boolean }>()
        let time = NOW
        let now = NOW
        for (const [n, { does, item, entity, later, cut }] of steps.entries()) {
          time += 1 + later
          const view = { entityId: `ip-${entity}`, type: 'ip', value: `${entity}`, reputation: -n % 4 }
          const change = { partition: 0, offset: n }
          const one = { does, item: own[item]!, view, readableBy: ['public'], change, time } as unknown as AlertStep
          fold.add(one)
          note(model, `${item} ${entity}`, does, utcDay(time))
          now += 1 + later
          if (cut) await writer().store(fold.take(), nowhere(), now)
        }
        await writer().store(fold.take(), nowhere(), now + 1)
        const found = (await listed(of)).map(({ count, withdrawnAt, itemId, entityId }) => {
          const which = own.findIndex(({ id }) => id === itemId)
          return `${which} ${entityId.slice(3)} ${count} ${withdrawnAt !== null}`
        })
        const want = [...model].map(([key, { count, withdrawn }]) => {
          const [item, entity] = key.split(' ')
          return `${item} ${entity} ${count} ${withdrawn}`
        })
        expect(found.sort()).toEqual(want.sort())
      }),
      { numRuns: 40 },
    )
  })
}

type Noted = Map<string, { count: number; withdrawn: boolean }>

/** One step by itself: alerts by item, entity and day, in the order in which they were made. */
function note(model: Noted, what: string, does: AlertStep['does'], day: string): void {
  const key = `${what} ${day}`
  const known = model.get(key)
  if (does === 'fire') {
    if (known === undefined) model.set(key, { count: 1, withdrawn: false })
    else Object.assign(known, { count: known.count + 1, withdrawn: false })
    return
  }
  const last = [...model].findLast(([one]) => one.startsWith(`${what} `))
  if (last !== undefined) last[1].withdrawn = true
}
