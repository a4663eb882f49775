/** What is promised of what belongs to records of casework, over any database. */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import type { Page } from '../../../connectors/postgres/casework/port.ts'
import type { CaseworkKind } from '../../../schemas/casework/casework.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { ALL, entry, NOW, owner, TEN, type World } from './world.ts'

export function entryPromises(world: World, test: Test = everywhere): void {
  test('entries are listed in the order of their adding, up to so many of a kind, and go with their record', async () => {
    const one = await world.made(owner(await crew(world.people)), 'watchlist')
    // Of another kind, which has a bound of its own; a clock that was set back changes no order.
    await world.casework.entries.add(one, entry({ kind: 'note' }), { max: 1 })
    const [first, second] = [entry(), entry({ createdAt: NOW - 1 })]
    const added = await world.casework.entries.add(one, first, { max: 2 })
    const stored = { ...first, seq: 1 }
    expect(added).toEqual({ record: { ...one, nextSeq: 2, lastEntryAt: NOW }, entry: stored, added: true })
    const outcomes = await Promise.all(
      [second, entry()].map((given) => world.casework.entries.add(one, given, { max: 2 })),
    )
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(1)
    const listed = (await world.items(one))!
    expect([listed.items, listed.entries.map(({ seq }) => seq), listed.entries[0]]).toEqual([2, [1, 2], stored])
    expect((await world.items(one, { limit: 1, offset: 1 }))?.entries).toEqual([listed.entries[1]])
    expect((await world.casework.entries.entry(one, 'item', first.id))?.entry).toEqual(stored)
    for (const [kind, id] of [
      ['item', randomUUID()],
      ['note', first.id],
    ] as const) {
      expect(await world.casework.entries.entry(one, kind, id)).toBeNull()
      expect(await world.casework.entries.remove(one, kind, { id })).toBe(false)
    }
    expect(await world.casework.entries.remove(one, 'item', { id: first.id })).toBe(true)
    expect(await world.casework.entries.remove(one, 'item', { id: first.id })).toBe(false)
    // The ordinal of what is gone is not given again.
    expect(await world.casework.entries.add(one, entry(), { max: 2 })).toMatchObject({ entry: { seq: 3 } })
    expect(await world.casework.records.remove(one)).toBe(true)
    const left = world.people.db.selectFrom('casework_entries').where('record_id', '=', one.id).select('id')
    expect(await left.execute()).toEqual([])
  })

  everywhere('a record holds a key once, whoever adds it at once, and what was there stays as it is', async () => {
    const one = await world.made(owner(await crew(world.people)), 'case')
    const pin = (note: string) => entry({ kind: 'entity', key: 'ip-1', content: { note } })
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((note) => world.casework.entries.add(one, pin(note), { max: 1 })),
    )
    const told = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.entry.id))
    expect(new Set(told).size).toBe(1)
    expect(outcomes.filter((outcome) => typeof outcome !== 'string' && outcome.added)).toHaveLength(1)
    expect(await world.casework.entries.add(one, entry({ kind: 'entity', key: 'ip-2' }), { max: 1 })).toBe('full')
    expect(await world.casework.entries.remove(one, 'entity', { key: 'ip-2' })).toBe(false)
    expect(await world.casework.entries.remove(one, 'entity', { key: 'ip-1' })).toBe(true)
    expect(await world.casework.entries.add(one, pin('d'), { max: 1 })).toMatchObject({ added: true })
  })

  test('what only repeats the last entry of its kind is that entry, for as long as was said', async () => {
    const one = await world.made(owner(await crew(world.people)), 'conversation')
    const ask = (question: string, createdAt = NOW, sameSince = NOW) =>
      world.casework.entries.add(one, entry({ kind: 'turn', content: { question }, createdAt }), { max: 10, sameSince })
    const seqOf = (outcome: Awaited<ReturnType<typeof ask>>) =>
      typeof outcome === 'string' ? outcome : outcome.entry.seq
    expect(seqOf(await ask('a'))).toBe(0)
    expect(await ask('a')).toMatchObject({ added: false, entry: { seq: 0 } })
    expect(seqOf(await ask('b'))).toBe(1)
    expect(seqOf(await ask('a'))).toBe(2)
    expect(seqOf(await ask('a', NOW + 1, NOW + 1))).toBe(3)
    expect((await world.casework.records.record(one))?.nextSeq).toBe(4)
  })

  test('of several records each tells its own entries and how many it has, as far as they may be told', async () => {
    const of = owner(await crew(world.people))
    const [a, b] = [await world.made(of, 'watchlist'), await world.made(of, 'watchlist')]
    for (const [at, n] of [
      [b, 1],
      [a, 2],
      [b, 3],
    ] as const)
      await world.casework.entries.add(at, entry({ content: { n } }), TEN)
    const told = async (max: number) => {
      const { entries, counts } = await world.casework.entries.among([a, b], ['item'], max)
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
    expect((await world.casework.entries.among([], ['item'], 2)).counts.size).toBe(0)
  })

  test('cases are narrowed by their state, and conversations by their case, the one last added to first', async () => {
    const of = owner(await crew(world.people))
    const open = await world.made(of, 'case', { content: { status: 'open' } })
    await world.made(of, 'case', { content: { status: 'closed' } })
    const list = (kind: CaseworkKind, filter: object) => world.casework.records.list(of, kind, filter, ALL)
    expect(await list('case', { status: 'open' })).toEqual({ records: [open], items: 1 })
    const first = await world.made(of, 'conversation', { caseId: open.id, createdAt: NOW })
    const second = await world.made(of, 'conversation', { createdAt: NOW + 1 })
    expect((await list('conversation', { caseId: open.id })).records).toEqual([first])
    expect((await list('conversation', { caseId: null })).records).toEqual([second])
    expect(await world.ids(of, 'conversation')).toEqual([second.id, first.id])
    await world.casework.entries.add(first, entry({ kind: 'turn', createdAt: NOW + 2 }), TEN)
    expect(await world.ids(of, 'conversation')).toEqual([first.id, second.id])
  })

  test('turns are found by their words, addresses and digests, in the caller’s own conversations alone', async () => {
    const team = await crew(world.people)
    const [mine, other] = [
      await world.made(owner(team), 'conversation'),
      await world.made(owner(team, 'user2'), 'conversation'),
    ]
    const digest = 'd41d8cd98f00b204e9800998ecf8427e'
    const said: [string, string][] = [
      ['What is 203.0.113.7?', `It serves ${digest}.`],
      ['And https://evil.example.com/a/b?c=1?', 'A Kit; see mail@example.org!'],
      [`'); DROP TABLE casework_records; -- & | ! <-> :*`, '\\ "€" 😀'],
    ]
    for (const [i, [question, answer]] of said.entries())
      for (const at of [mine, other])
        await world.casework.entries.add(
          at,
          entry({ kind: 'turn', content: { question, answer }, createdAt: NOW + i }),
          TEN,
        )
    const search = async (words: string, page: Page = ALL) => {
      const { found, items: all } = await world.casework.entries.search(mine.owner, words, page)
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
    await world.casework.entries.add(
      mine,
      entry({ kind: 'turn', content: { question: 'kit' }, createdAt: NOW + 9 }),
      TEN,
    )
    expect(await search('kit')).toEqual([2, [3, 1]])
    expect(await search('kit', { limit: 1, offset: 1 })).toEqual([2, [1]])
    await world.casework.records.remove(mine)
    expect(await search('kit')).toEqual([0, []])
  })

  test('an entry of another record is none here', async () => {
    const team = await crew(world.people)
    const [mine, other] = [
      await world.made(owner(team), 'watchlist'),
      await world.made(owner(team, 'owner'), 'watchlist'),
    ]
    const given = entry()
    await world.casework.entries.add(other, given, TEN)
    expect(await world.casework.entries.entry(mine, 'item', given.id)).toBeNull()
    expect(await world.casework.entries.remove(mine, 'item', { id: given.id })).toBe(false)
    expect((await world.items(other))?.items).toBe(1)
  })
}
