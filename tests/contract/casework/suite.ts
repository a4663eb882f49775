/** What is promised of casework over any database. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/accounts/kysely/tables.ts'
import { kyselyCaseworkCleanup } from '../../../connectors/casework/cleanup.ts'
import { kyselyCasework } from '../../../connectors/casework/kysely.ts'
import type { Casework, CaseworkCleanup, CaseworkRecord, Entry, Owner } from '../../../connectors/casework/port.ts'
import { kyselyQuotas } from '../../../connectors/quotas/kysely.ts'
import { CASEWORK_KINDS, type CaseworkKind, QUOTA_KEYS } from '../../../schemas/casework.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/tiers/tiers.ts'
import { type Crew, crew, type People, peopleOf } from '../../builders/team.ts'

const NOW = 1_800_000_000_000
const ALL = { limit: 100, offset: 0 }
const CAP = 4
const cap = { value: CAP, description: 'records' }
const TIERS: Tiers = {
  ...BUILT_IN_TIERS,
  Free: {
    limits: {},
    quotas: { 'casework-api': Object.fromEntries(CASEWORK_KINDS.map((kind) => [QUOTA_KEYS[kind], cap])) },
  },
}

export function caseworkContract(name: string, open: () => Promise<AccountsDatabase>): void {
  describe(name, () => {
    let people: People
    let casework: Casework
    beforeAll(async () => {
      people = peopleOf(await open())
      casework = kyselyCasework(people.db, TIERS)
    })
    afterAll(() => people?.close())

    const owner = ({ customerId, ...team }: Crew, who: 'user' | 'user2' | 'owner' = 'user'): Owner => ({
      customerId,
      userId: team[who].id,
    })
    const record = (of: Owner, kind: CaseworkKind, given: Partial<CaseworkRecord> = {}): CaseworkRecord => ({
      id: randomUUID(),
      kind,
      owner: of,
      content: { title: `'); DROP TABLE casework_records; --\n\t"€" 😀`, deep: { list: [1, null, 'a'] } },
      caseId: null,
      createdAt: NOW,
      updatedAt: NOW,
      ...given,
    })
    const made = async (of: Owner, kind: CaseworkKind, given: Partial<CaseworkRecord> = {}) => {
      const one = record(of, kind, given)
      expect(await casework.records.create(one)).toBe('created')
      return one
    }
    const entry = (given: Partial<Entry> = {}): Entry => ({
      id: randomUUID(),
      content: { kind: 'value', value: 'x' },
      createdAt: NOW,
      ...given,
    })
    const used = async ({ customerId }: Owner): Promise<number[]> => {
      const usage = await kyselyQuotas(people.db, TIERS).usage(customerId)
      return CASEWORK_KINDS.map((kind) => usage.find(({ featureKey }) => featureKey === QUOTA_KEYS[kind])?.used ?? 0)
    }
    const ids = async (of: Owner, kind: CaseworkKind) =>
      (await casework.records.list(of, kind, ALL)).records.map(({ id }) => id)
    const clean = <T>(work: (cleanup: CaseworkCleanup) => Promise<T>) =>
      people.db.transaction().execute((tx) => work(kyselyCaseworkCleanup(tx, TIERS)))
    /** One of everything. */
    const everything = async (of: Owner) => {
      const about = await made(of, 'case')
      const watchlist = await made(of, 'watchlist')
      const conversation = await made(of, 'conversation', { caseId: about.id })
      await made(of, 'search')
      await casework.entries.add(watchlist, entry(), 10)
      await casework.entries.add(conversation, entry(), 10)
      await casework.entries.add(conversation, entry(), 10)
      await casework.alertReads.store(of, { readUntil: NOW, read: [randomUUID()] }, NOW)
      return { about, watchlist, conversation }
    }
    const EVERYTHING = { cases: 1, watchlists: 1, conversations: 1, searches: 1, items: 1, messages: 2, alertReads: 1 }

    for (const kind of CASEWORK_KINDS)
      test(`a ${kind} is its owner's alone: colleagues and other customers find none`, async () => {
        const [team, others] = [await crew(people), await crew(people)]
        const one = await made(owner(team), kind)
        expect(await casework.records.record(one)).toEqual(one)
        expect(await casework.records.list(one.owner, kind, ALL)).toEqual({ records: [one], items: 1 })
        const strangers = [
          { ...one, owner: owner(team, 'owner') },
          { ...one, owner: owner(others) },
          { ...one, owner: { ...one.owner, customerId: others.customerId } },
          { ...one, kind: CASEWORK_KINDS.find((other) => other !== kind)! },
        ]
        for (const at of strangers) {
          expect(await casework.records.record(at)).toBeNull()
          expect(await casework.records.list(at.owner, at.kind, ALL)).toEqual({ records: [], items: 0 })
          expect(await casework.records.change(at, { content: { title: 'x' }, updatedAt: NOW })).toBeNull()
          expect(await casework.records.remove(at)).toBe(false)
          expect(await casework.entries.add(at, entry(), 10)).toBe('no record')
          expect(await casework.entries.list(at, ALL)).toBeNull()
        }
        expect(await casework.records.record(one)).toEqual(one)
      })

    test('a change lays over what is there, and what it does not name stays', async () => {
      const one = await made(owner(await crew(people)), 'case', { content: { title: 'a', severity: 1 } })
      const changed = { ...one, content: { title: 'a', severity: 3, status: 'closed' }, updatedAt: NOW + 5 }
      const change = { content: { severity: 3, status: 'closed' }, updatedAt: NOW + 5 }
      expect(await casework.records.change(one, change)).toEqual(changed)
      expect(await casework.records.record(one)).toEqual(changed)
    })

    test('the quota is taken with the record, by many at once never too often, and given back with it', async () => {
      const of = owner(await crew(people))
      const outcomes = await Promise.all(
        Array.from({ length: 2 * CAP }, () => casework.records.create(record(of, 'search'))),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(CAP)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(CAP)
      const [id] = await ids(of, 'search')
      const place = { owner: of, kind: 'search', id: id! } as const
      const removals = await Promise.all([1, 2, 3].map(() => casework.records.remove(place)))
      expect(removals.filter(Boolean)).toHaveLength(1)
      expect([(await ids(of, 'search')).length, await used(of)]).toEqual([CAP - 1, [0, 0, 0, CAP - 1]])
      await made(of, 'search')
    })

    test('only a member of the customer keeps anything there', async () => {
      const [team, others] = [await crew(people), await crew(people)]
      const stranger = { ...owner(team), userId: others.user.id }
      expect(await casework.records.create(record(stranger, 'case'))).toBe('no member')
      expect(await casework.alertReads.store(stranger, { readUntil: NOW, read: [] }, NOW)).toBe('no member')
      const nowhere = { customerId: randomUUID(), userId: team.user.id }
      expect(await casework.records.create(record(nowhere, 'case'))).toBe('no member')
      expect(await used(owner(team))).toEqual([0, 0, 0, 0])
    })

    test('a conversation is about a case of its owner, and stands alone when that is gone', async () => {
      const team = await crew(people)
      const of = owner(team)
      const about = await made(of, 'case')
      const foreign = await made(owner(team, 'owner'), 'case')
      const search = await made(of, 'search')
      for (const caseId of [foreign.id, search.id, randomUUID()])
        expect(await casework.records.create(record(of, 'conversation', { caseId }))).toBe('no case')
      expect(await used(of)).toEqual([2, 0, 0, 1])
      const one = await made(of, 'conversation', { caseId: about.id })
      const change = (caseId?: string | null) =>
        casework.records.change(one, { content: {}, ...(caseId === undefined ? {} : { caseId }), updatedAt: NOW })
      expect(await change(foreign.id)).toBe('no case')
      expect(await change()).toEqual(one)
      expect(await change(null)).toEqual({ ...one, caseId: null })
      expect(await change(about.id)).toEqual(one)
      expect(await casework.records.remove(about)).toBe(true)
      expect(await casework.records.record(one)).toEqual({ ...one, caseId: null })
    })

    test('entries are listed from the oldest on, up to so many, and go with their record', async () => {
      const one = await made(owner(await crew(people)), 'watchlist')
      const [first, second] = [entry({ createdAt: NOW - 1 }), entry()]
      expect(await casework.entries.add(one, second, 2)).toBe('added')
      const outcomes = await Promise.all([first, entry()].map((given) => casework.entries.add(one, given, 2)))
      expect([...outcomes].sort()).toEqual(['added', 'full'])
      const { entries, items } = (await casework.entries.list(one, ALL))!
      expect(items).toBe(2)
      expect(entries.map(({ createdAt }) => createdAt)).toEqual(entries.map(({ createdAt }) => createdAt).sort())
      expect((await casework.entries.list(one, { limit: 1, offset: 1 }))?.entries).toEqual([entries[1]])
      expect(await casework.entries.entry(one, second.id)).toEqual(second)
      expect(await casework.entries.entry(one, randomUUID())).toBeNull()
      expect(await casework.entries.remove(one, second.id)).toBe(true)
      expect(await casework.entries.remove(one, second.id)).toBe(false)
      expect(await casework.records.remove(one)).toBe(true)
      const left = people.db.selectFrom('casework_entries').where('record_id', '=', one.id).select('id')
      expect(await left.execute()).toEqual([])
    })

    test('an entry of another record is none here', async () => {
      const team = await crew(people)
      const [mine, other] = [await made(owner(team), 'watchlist'), await made(owner(team, 'owner'), 'watchlist')]
      const given = entry()
      await casework.entries.add(other, given, 10)
      expect(await casework.entries.entry(mine, given.id)).toBeNull()
      expect(await casework.entries.remove(mine, given.id)).toBe(false)
      expect((await casework.entries.list(other, ALL))?.items).toBe(1)
    })

    test('what was read of the alerts is kept for each analyst, the last words in place of the first', async () => {
      const team = await crew(people)
      const [of, other] = [owner(team), owner(team, 'owner')]
      expect(await casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
      const read = [randomUUID(), randomUUID()].sort()
      expect(await casework.alertReads.store(of, { readUntil: NOW, read }, NOW)).toBe('stored')
      expect(await casework.alertReads.of(of)).toEqual({ readUntil: NOW, read })
      expect(await casework.alertReads.of(other)).toEqual({ readUntil: null, read: [] })
      expect(await casework.alertReads.store(of, { readUntil: null, read: [] }, NOW)).toBe('stored')
      expect(await casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
    })

    test('the end of a user ends all that it kept in that customer, and the counts are of the rest', async () => {
      const team = await crew(people)
      const [of, other] = [owner(team), owner(team, 'user2')]
      await everything(of)
      const kept = await everything(other)
      await kyselyQuotas(people.db, TIERS).take(of.customerId, { service: 'casework-api', featureKey: 'max_cases' }, 2)
      expect(await clean((cleanup) => cleanup.deleteOfUser(of.customerId, of.userId))).toEqual(EVERYTHING)
      for (const kind of CASEWORK_KINDS) expect(await ids(of, kind)).toEqual([])
      expect(await casework.alertReads.of(of)).toEqual({ readUntil: null, read: [] })
      expect(await used(of)).toEqual([1, 1, 1, 1])
      expect(await casework.records.record(kept.conversation)).toEqual(kept.conversation)
      expect((await casework.entries.list(kept.conversation, ALL))?.items).toBe(2)
      expect((await casework.alertReads.of(other)).readUntil).toBe(NOW)
      const nothing = Object.fromEntries(Object.keys(EVERYTHING).map((kind) => [kind, 0]))
      expect(await clean((cleanup) => cleanup.deleteOfUser(of.customerId, of.userId))).toEqual(nothing)
    })

    test('the end of a customer ends what all of its analysts kept, also when its row is gone', async () => {
      const [team, others] = [await crew(people), await crew(people)]
      await everything(owner(team))
      await everything(owner(team, 'user2'))
      const kept = await everything(owner(others))
      await people.db.deleteFrom('customers').where('id', '=', team.customerId).execute()
      const doubled = Object.fromEntries(Object.entries(EVERYTHING).map(([kind, rows]) => [kind, 2 * rows]))
      expect(await clean((cleanup) => cleanup.deleteOfCustomer(team.customerId))).toEqual(doubled)
      for (const kind of CASEWORK_KINDS) expect(await ids(owner(team), kind)).toEqual([])
      expect(await casework.records.record(kept.about)).toEqual(kept.about)
    })

    test('the counts are right however creations, changes, removals and clean-up meet', async () => {
      const team = await crew(people)
      const [of, other] = [owner(team), owner(team, 'user2')]
      for (let round = 0; round < 10; round++) {
        const about = record(of, 'case')
        await casework.records.create(about)
        const talk = record(of, 'conversation', { caseId: about.id })
        await casework.records.create(talk)
        await Promise.all([
          casework.records.create(record(other, 'case')),
          casework.records.change(talk, { content: {}, caseId: about.id, updatedAt: NOW }),
          casework.records.remove(about),
          casework.entries.add(talk, entry(), 10),
          clean((cleanup) => cleanup.deleteOfUser(of.customerId, round % 2 === 0 ? of.userId : other.userId)),
        ])
        const left = await Promise.all(
          CASEWORK_KINDS.map(async (kind) => (await ids(of, kind)).length + (await ids(other, kind)).length),
        )
        expect(await used(of)).toEqual(left)
      }
    })
  })
}
