/** What is promised of records of casework over any database. */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { CASEWORK_KINDS } from '../../../schemas/casework/casework.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { ALL, CAP, EVERYTHING, entry, NOW, owner, record, TEN, TIERS, type World } from './world.ts'

export function recordPromises(world: World, test: Test = everywhere): void {
  for (const kind of CASEWORK_KINDS)
    test(`a ${kind} is its owner's alone: colleagues and other customers find none`, async () => {
      const [team, others] = [await crew(world.people), await crew(world.people)]
      const one = await world.made(owner(team), kind)
      expect(await world.casework.records.record(one)).toEqual(one)
      expect(await world.casework.records.list(one.owner, kind, {}, ALL)).toEqual({ records: [one], items: 1 })
      const strangers = [
        { ...one, owner: owner(team, 'owner') },
        { ...one, owner: owner(others) },
        { ...one, owner: { ...one.owner, customerId: others.customerId } },
        { ...one, kind: CASEWORK_KINDS.find((other) => other !== kind)! },
      ]
      for (const at of strangers) {
        expect(await world.casework.records.record(at)).toBeNull()
        expect(await world.casework.records.list(at.owner, at.kind, {}, ALL)).toEqual({ records: [], items: 0 })
        expect(await world.casework.records.change(at, { content: { title: 'x' }, updatedAt: NOW })).toBeNull()
        expect(await world.casework.records.remove(at)).toBe(false)
        expect(await world.casework.entries.add(at, entry(), TEN)).toBe('no record')
        expect(await world.items(at)).toBeNull()
      }
      expect(await world.casework.records.record(one)).toEqual(one)
    })

  test('a change lays over what is there, and what it does not name stays', async () => {
    const one = await world.made(owner(await crew(world.people)), 'case', { content: { title: 'a', severity: 1 } })
    const changed = { ...one, content: { title: 'a', severity: 3, status: 'closed' }, updatedAt: NOW + 5 }
    const change = { content: { severity: 3, status: 'closed' }, updatedAt: NOW + 5 }
    expect(await world.casework.records.change(one, change)).toEqual(changed)
    expect(await world.casework.records.record(one)).toEqual(changed)
  })

  everywhere(
    'the quota is taken with the record, by many at once never too often, and given back with it',
    async () => {
      const of = owner(await crew(world.people))
      const outcomes = await Promise.all(
        Array.from({ length: 2 * CAP }, () => world.casework.records.create(record(of, 'search'))),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(CAP)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(CAP)
      const [id] = await world.ids(of, 'search')
      const place = { owner: of, kind: 'search', id: id! } as const
      const removals = await Promise.all([1, 2, 3].map(() => world.casework.records.remove(place)))
      expect(removals.filter(Boolean)).toHaveLength(1)
      expect([(await world.ids(of, 'search')).length, await world.used(of)]).toEqual([CAP - 1, [0, 0, 0, CAP - 1]])
      await world.made(of, 'search')
    },
  )

  test('only a member of the customer keeps anything there', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    const stranger = { ...owner(team), userId: others.user.id }
    expect(await world.casework.records.create(record(stranger, 'case'))).toBe('no member')
    expect(await world.casework.alertReads.store(stranger, { readUntil: NOW, read: [] }, NOW)).toBe('no member')
    const nowhere = { customerId: randomUUID(), userId: team.user.id }
    expect(await world.casework.records.create(record(nowhere, 'case'))).toBe('no member')
    expect(await world.used(owner(team))).toEqual([0, 0, 0, 0])
  })

  test('a conversation is about a case of its owner, and stands alone when that is gone', async () => {
    const team = await crew(world.people)
    const of = owner(team)
    const about = await world.made(of, 'case')
    const foreign = await world.made(owner(team, 'owner'), 'case')
    const search = await world.made(of, 'search')
    for (const caseId of [foreign.id, search.id, randomUUID()])
      expect(await world.casework.records.create(record(of, 'conversation', { caseId }))).toBe('no case')
    expect(await world.used(of)).toEqual([2, 0, 0, 1])
    const one = await world.made(of, 'conversation', { caseId: about.id })
    const change = (caseId?: string | null) =>
      world.casework.records.change(one, { content: {}, ...(caseId === undefined ? {} : { caseId }), updatedAt: NOW })
    expect(await change(foreign.id)).toBe('no case')
    expect(await change()).toEqual(one)
    expect(await change(null)).toEqual({ ...one, caseId: null })
    expect(await change(about.id)).toEqual(one)
    expect(await world.casework.records.remove(about)).toBe(true)
    expect(await world.casework.records.record(one)).toEqual({ ...one, caseId: null })
  })

  test('what was read of the alerts is kept for each analyst, the last words in place of the first', async () => {
    const team = await crew(world.people)
    const [of, other] = [owner(team), owner(team, 'owner')]
    expect(await world.casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
    const read = [randomUUID(), randomUUID()].sort()
    expect(await world.casework.alertReads.store(of, { readUntil: NOW, read }, NOW)).toBe('stored')
    expect(await world.casework.alertReads.of(of)).toEqual({ readUntil: NOW, read })
    expect(await world.casework.alertReads.of(other)).toEqual({ readUntil: null, read: [] })
    expect(await world.casework.alertReads.store(of, { readUntil: null, read: [] }, NOW)).toBe('stored')
    expect(await world.casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
  })

  test('the end of a user ends all that it kept in that customer, and the counts are of the rest', async () => {
    const team = await crew(world.people)
    const [of, other] = [owner(team), owner(team, 'user2')]
    await world.everything(of)
    const kept = await world.everything(other)
    await kyselyQuotas(world.people.db, TIERS).take(
      of.customerId,
      { service: 'casework-api', featureKey: 'max_cases' },
      2,
    )
    expect(await world.clean((cleanup) => cleanup.deleteOfUser(of.customerId, of.userId))).toEqual(EVERYTHING)
    for (const kind of CASEWORK_KINDS) expect(await world.ids(of, kind)).toEqual([])
    expect(await world.casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
    expect(await world.used(of)).toEqual([1, 1, 1, 1])
    expect(await world.casework.records.record(kept.conversation)).toMatchObject({ nextSeq: 3, caseId: kept.about.id })
    expect((await world.casework.entries.list(kept.conversation, 'message', ALL))?.items).toBe(2)
    expect((await world.casework.alertReads.of(other)).readUntil).toBe(NOW)
    const nothing = Object.fromEntries(Object.keys(EVERYTHING).map((kind) => [kind, 0]))
    expect(await world.clean((cleanup) => cleanup.deleteOfUser(of.customerId, of.userId))).toEqual(nothing)
  })

  test('the end of a customer ends what all of its analysts kept, also when its row is gone', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    await world.everything(owner(team))
    await world.everything(owner(team, 'user2'))
    const kept = await world.everything(owner(others))
    await world.people.db.deleteFrom('customers').where('id', '=', team.customerId).execute()
    const doubled = Object.fromEntries(Object.entries(EVERYTHING).map(([kind, rows]) => [kind, 2 * rows]))
    expect(await world.clean((cleanup) => cleanup.deleteOfCustomer(team.customerId))).toEqual(doubled)
    for (const kind of CASEWORK_KINDS) expect(await world.ids(owner(team), kind)).toEqual([])
    expect(await world.casework.records.record(kept.about)).toMatchObject({ nextSeq: 2 })
  })

  everywhere('the counts are right however creations, changes, removals and clean-up meet', async () => {
    const team = await crew(world.people)
    const [of, other] = [owner(team), owner(team, 'user2')]
    for (let round = 0; round < 10; round++) {
      const about = record(of, 'case')
      await world.casework.records.create(about)
      const talk = record(of, 'conversation', { caseId: about.id })
      await world.casework.records.create(talk)
      await Promise.all([
        world.casework.records.create(record(other, 'case')),
        world.casework.records.change(talk, { content: {}, caseId: about.id, updatedAt: NOW }),
        world.casework.records.remove(about),
        world.casework.entries.add(talk, entry({ kind: 'turn' }), TEN),
        world.clean((cleanup) => cleanup.deleteOfUser(of.customerId, round % 2 === 0 ? of.userId : other.userId)),
      ])
      const left = await Promise.all(
        CASEWORK_KINDS.map(async (kind) => (await world.ids(of, kind)).length + (await world.ids(other, kind)).length),
      )
      expect(await world.used(of)).toEqual(left)
    }
  })
}
