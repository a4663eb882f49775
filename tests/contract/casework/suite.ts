/** What is promised of casework over any database. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/accounts/kysely/tables.ts'
import { kyselyCaseworkCleanup } from '../../../connectors/casework/cleanup.ts'
import { kyselyCasework } from '../../../connectors/casework/kysely.ts'
import type {
  Casework,
  CaseworkCleanup,
  CaseworkRecord,
  NewEntry,
  NewRecord,
  Owner,
  Page,
} from '../../../connectors/casework/port.ts'
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
    const record = (of: Owner, kind: CaseworkKind, given: Partial<NewRecord> = {}): NewRecord => ({
      id: randomUUID(),
      kind,
      owner: of,
      content: { title: `'); DROP TABLE casework_records; --\n\t"€" 😀`, deep: { list: [1, null, 'a'] } },
      caseId: null,
      createdAt: NOW,
      updatedAt: NOW,
      ...given,
    })
    const made = async (of: Owner, kind: CaseworkKind, given: Partial<NewRecord> = {}): Promise<CaseworkRecord> => {
      const one = record(of, kind, given)
      expect(await casework.records.create(one)).toBe('created')
      return { ...one, nextSeq: 0, lastEntryAt: null }
    }
    const entry = (given: Partial<NewEntry> = {}): NewEntry => ({
      id: randomUUID(),
      kind: 'item',
      key: null,
      content: { kind: 'value', value: 'x' },
      createdAt: NOW,
      ...given,
    })
    const used = async ({ customerId }: Owner): Promise<number[]> => {
      const usage = await kyselyQuotas(people.db, TIERS).usage(customerId)
      return CASEWORK_KINDS.map((kind) => usage.find(({ featureKey }) => featureKey === QUOTA_KEYS[kind])?.used ?? 0)
    }
    const ids = async (of: Owner, kind: CaseworkKind) =>
      (await casework.records.list(of, kind, {}, ALL)).records.map(({ id }) => id)
    const items = async (at: CaseworkRecord, page: Page = ALL) => casework.entries.list(at, 'item', page)
    const TEN = { max: 10 }
    const clean = <T>(work: (cleanup: CaseworkCleanup) => Promise<T>) =>
      people.db.transaction().execute((tx) => work(kyselyCaseworkCleanup(tx, TIERS)))
    /** One of everything. */
    const everything = async (of: Owner) => {
      const about = await made(of, 'case')
      const watchlist = await made(of, 'watchlist')
      const conversation = await made(of, 'conversation', { caseId: about.id })
      await made(of, 'search')
      await casework.entries.add(watchlist, entry(), TEN)
      for (const kind of ['message', 'message', 'turn'] as const)
        await casework.entries.add(conversation, entry({ kind }), TEN)
      await casework.entries.add(about, entry({ kind: 'note' }), TEN)
      await casework.entries.add(about, entry({ kind: 'entity', key: 'ip-1' }), TEN)
      await casework.alertReads.store(of, { readUntil: NOW, read: [randomUUID()] }, NOW)
      return { about, watchlist, conversation }
    }
    const EVERYTHING = {
      ...{ cases: 1, watchlists: 1, conversations: 1, searches: 1 },
      ...{ items: 1, messages: 2, turns: 1, notes: 1, pinnedEntities: 1, alertReads: 1 },
    }

    for (const kind of CASEWORK_KINDS)
      test(`a ${kind} is its owner's alone: colleagues and other customers find none`, async () => {
        const [team, others] = [await crew(people), await crew(people)]
        const one = await made(owner(team), kind)
        expect(await casework.records.record(one)).toEqual(one)
        expect(await casework.records.list(one.owner, kind, {}, ALL)).toEqual({ records: [one], items: 1 })
        const strangers = [
          { ...one, owner: owner(team, 'owner') },
          { ...one, owner: owner(others) },
          { ...one, owner: { ...one.owner, customerId: others.customerId } },
          { ...one, kind: CASEWORK_KINDS.find((other) => other !== kind)! },
        ]
        for (const at of strangers) {
          expect(await casework.records.record(at)).toBeNull()
          expect(await casework.records.list(at.owner, at.kind, {}, ALL)).toEqual({ records: [], items: 0 })
          expect(await casework.records.change(at, { content: { title: 'x' }, updatedAt: NOW })).toBeNull()
          expect(await casework.records.remove(at)).toBe(false)
          expect(await casework.entries.add(at, entry(), TEN)).toBe('no record')
          expect(await items(at)).toBeNull()
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

    test('entries are listed in the order of their adding, up to so many of a kind, and go with their record', async () => {
      const one = await made(owner(await crew(people)), 'watchlist')
      // Of another kind, which has a bound of its own; a clock that was set back changes no order.
      await casework.entries.add(one, entry({ kind: 'note' }), { max: 1 })
      const [first, second] = [entry(), entry({ createdAt: NOW - 1 })]
      const added = await casework.entries.add(one, first, { max: 2 })
      const stored = { ...first, seq: 1 }
      expect(added).toEqual({ record: { ...one, nextSeq: 2, lastEntryAt: NOW }, entry: stored, added: true })
      const outcomes = await Promise.all([second, entry()].map((given) => casework.entries.add(one, given, { max: 2 })))
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(1)
      const listed = (await items(one))!
      expect([listed.items, listed.entries.map(({ seq }) => seq), listed.entries[0]]).toEqual([2, [1, 2], stored])
      expect((await items(one, { limit: 1, offset: 1 }))?.entries).toEqual([listed.entries[1]])
      expect((await casework.entries.entry(one, 'item', first.id))?.entry).toEqual(stored)
      for (const [kind, id] of [
        ['item', randomUUID()],
        ['note', first.id],
      ] as const) {
        expect(await casework.entries.entry(one, kind, id)).toBeNull()
        expect(await casework.entries.remove(one, kind, { id })).toBe(false)
      }
      expect(await casework.entries.remove(one, 'item', { id: first.id })).toBe(true)
      expect(await casework.entries.remove(one, 'item', { id: first.id })).toBe(false)
      // The ordinal of what is gone is not given again.
      expect(await casework.entries.add(one, entry(), { max: 2 })).toMatchObject({ entry: { seq: 3 } })
      expect(await casework.records.remove(one)).toBe(true)
      const left = people.db.selectFrom('casework_entries').where('record_id', '=', one.id).select('id')
      expect(await left.execute()).toEqual([])
    })

    test('a record holds a key once, whoever adds it at once, and what was there stays as it is', async () => {
      const one = await made(owner(await crew(people)), 'case')
      const pin = (note: string) => entry({ kind: 'entity', key: 'ip-1', content: { note } })
      const outcomes = await Promise.all(
        ['a', 'b', 'c'].map((note) => casework.entries.add(one, pin(note), { max: 1 })),
      )
      const told = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.entry.id))
      expect(new Set(told).size).toBe(1)
      expect(outcomes.filter((outcome) => typeof outcome !== 'string' && outcome.added)).toHaveLength(1)
      expect(await casework.entries.add(one, entry({ kind: 'entity', key: 'ip-2' }), { max: 1 })).toBe('full')
      expect(await casework.entries.remove(one, 'entity', { key: 'ip-2' })).toBe(false)
      expect(await casework.entries.remove(one, 'entity', { key: 'ip-1' })).toBe(true)
      expect(await casework.entries.add(one, pin('d'), { max: 1 })).toMatchObject({ added: true })
    })

    test('what only repeats the last entry of its kind is that entry, for as long as was said', async () => {
      const one = await made(owner(await crew(people)), 'conversation')
      const ask = (question: string, createdAt = NOW, sameSince = NOW) =>
        casework.entries.add(one, entry({ kind: 'turn', content: { question }, createdAt }), { max: 10, sameSince })
      const seqOf = (outcome: Awaited<ReturnType<typeof ask>>) =>
        typeof outcome === 'string' ? outcome : outcome.entry.seq
      expect(seqOf(await ask('a'))).toBe(0)
      expect(await ask('a')).toMatchObject({ added: false, entry: { seq: 0 } })
      expect(seqOf(await ask('b'))).toBe(1)
      expect(seqOf(await ask('a'))).toBe(2)
      expect(seqOf(await ask('a', NOW + 1, NOW + 1))).toBe(3)
      expect((await casework.records.record(one))?.nextSeq).toBe(4)
    })

    test('of several records each tells its own entries and how many it has, as far as they may be told', async () => {
      const of = owner(await crew(people))
      const [a, b] = [await made(of, 'watchlist'), await made(of, 'watchlist')]
      for (const [at, n] of [
        [b, 1],
        [a, 2],
        [b, 3],
      ] as const)
        await casework.entries.add(at, entry({ content: { n } }), TEN)
      const told = async (max: number) => {
        const { entries, counts } = await casework.entries.among([a, b], ['item'], max)
        return [a, b].map(({ id }) => [counts.get(id), entries.get(id)!.map(({ content }) => content.n)])
      }
      expect(await told(10)).toEqual([
        [1, [2]],
        [2, [1, 3]],
      ])
      expect(await told(2)).toEqual([
        [1, [2]],
        [2, [1]],
      ])
      expect((await casework.entries.among([], ['item'], 2)).counts.size).toBe(0)
    })

    test('cases are narrowed by their state, and conversations by their case, the one last added to first', async () => {
      const of = owner(await crew(people))
      const open = await made(of, 'case', { content: { status: 'open' } })
      await made(of, 'case', { content: { status: 'closed' } })
      const list = (kind: CaseworkKind, filter: object) => casework.records.list(of, kind, filter, ALL)
      expect(await list('case', { status: 'open' })).toEqual({ records: [open], items: 1 })
      const first = await made(of, 'conversation', { caseId: open.id, createdAt: NOW })
      const second = await made(of, 'conversation', { createdAt: NOW + 1 })
      expect((await list('conversation', { caseId: open.id })).records).toEqual([first])
      expect((await list('conversation', { caseId: null })).records).toEqual([second])
      expect(await ids(of, 'conversation')).toEqual([second.id, first.id])
      await casework.entries.add(first, entry({ kind: 'turn', createdAt: NOW + 2 }), TEN)
      expect(await ids(of, 'conversation')).toEqual([first.id, second.id])
    })

    test('turns are found by their words, addresses and digests, in the caller’s own conversations alone', async () => {
      const team = await crew(people)
      const [mine, other] = [await made(owner(team), 'conversation'), await made(owner(team, 'user2'), 'conversation')]
      const digest = 'd41d8cd98f00b204e9800998ecf8427e'
      const said: [string, string][] = [
        ['What is 203.0.113.7?', `It serves ${digest}.`],
        ['And https://evil.example.com/a/b?c=1?', 'A Kit; see mail@example.org!'],
        [`'); DROP TABLE casework_records; -- & | ! <-> :*`, '\\ "€" 😀'],
      ]
      for (const [i, [question, answer]] of said.entries())
        for (const at of [mine, other])
          await casework.entries.add(
            at,
            entry({ kind: 'turn', content: { question, answer }, createdAt: NOW + i }),
            TEN,
          )
      const search = async (words: string, page: Page = ALL) => {
        const { found, items: all } = await casework.entries.search(mine.owner, words, page)
        expect(found.every(({ record: of }) => of.id === mine.id)).toBe(true)
        return [all, found.map(({ entry: { seq } }) => seq)]
      }
      for (const words of ['203.0.113.7', digest, digest.toUpperCase(), digest.slice(0, 12), 'serves what', '203.0.11'])
        expect([words, ...(await search(words))]).toEqual([words, 1, [0]])
      for (const words of [
        'evil.example.com',
        'example.com',
        'evil[.]example[.]co',
        'https://evil.example.com/a/b?c=1',
        'kit',
        'mail@example.org',
      ])
        expect([words, ...(await search(words))]).toEqual([words, 1, [1]])
      expect(await search('drop table')).toEqual([1, [2]])
      for (const words of ['', '  ', '?!', '& | ! ( ) <-> :*', "'", '\\', 'never said', 'serves kit', '7.113.0.203'])
        expect([words, ...(await search(words))]).toEqual([words, 0, []])
      await casework.entries.add(mine, entry({ kind: 'turn', content: { question: 'kit' }, createdAt: NOW + 9 }), TEN)
      expect(await search('kit')).toEqual([2, [3, 1]])
      expect(await search('kit', { limit: 1, offset: 1 })).toEqual([2, [1]])
      await casework.records.remove(mine)
      expect(await search('kit')).toEqual([0, []])
    })

    test('an entry of another record is none here', async () => {
      const team = await crew(people)
      const [mine, other] = [await made(owner(team), 'watchlist'), await made(owner(team, 'owner'), 'watchlist')]
      const given = entry()
      await casework.entries.add(other, given, TEN)
      expect(await casework.entries.entry(mine, 'item', given.id)).toBeNull()
      expect(await casework.entries.remove(mine, 'item', { id: given.id })).toBe(false)
      expect((await items(other))?.items).toBe(1)
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
      expect(await casework.records.record(kept.conversation)).toMatchObject({ nextSeq: 3, caseId: kept.about.id })
      expect((await casework.entries.list(kept.conversation, 'message', ALL))?.items).toBe(2)
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
      expect(await casework.records.record(kept.about)).toMatchObject({ nextSeq: 2 })
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
          casework.entries.add(talk, entry({ kind: 'turn' }), TEN),
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
