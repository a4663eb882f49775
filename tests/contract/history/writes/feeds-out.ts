import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { feedChecks } from '../../../../connectors/history/feeds-out/checks.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { NewList } from '../../../../connectors/history/feeds-out/port.ts'
import { feedStates } from '../../../../connectors/history/feeds-out/states.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import type { FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import type { FeedHead } from '../../../../schemas/feeds-out/head.ts'
import type { MemberState } from '../../../../schemas/feeds-out/member.ts'
import { inListOrder } from '../../../../schemas/feeds-out/order.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import { compileSelector } from '../../../../schemas/intelligence/selectors/compile.ts'
import { type EntityView, fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import { recordsFrom, storeApplied } from '../../../builders/history/applied.ts'
import { headOf, idOf, item, member, newFeed, writtenAnew } from '../../../builders/history/feed-lists.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'
import { selectorBodies } from '../../../builders/intelligence/selectors/generated.ts'
import { located, selectable } from '../../../builders/intelligence/selectors/reports.ts'
import { selectorOf } from '../../../builders/intelligence/selectors/view.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { readableBy } from '../../../builders/search/oracle/generated/records.ts'
import { during } from '../../../builders/suite/during.ts'

const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const RUNS = longer(3)
const REASON = 'selector'

const listOf = (feed: string, epoch: number, cap: number | null = null): NewList => ({
  feed,
  epoch,
  cap,
  reason: REASON,
  at: NOW,
})

export function listsOfFeeds(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string
  const views = new Map<string, EntityView[]>()
  const CALLERS = [['public'], ['public', 'blue', 'red', 'green']]

  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
    const applied = applyBatch(new Map(), recordsFrom(0, selectable(SEED)), { dedupeWindow: 0, locate: located })
    await storeApplied(history, applied)
    for (const groups of CALLERS) {
      const readable = readableBy(groups)
      const mine = applied.rows.filter(({ audience }) => readable.has(audience))
      views.set(
        String(groups),
        [...Map.groupBy(mine, ({ entityId }) => entityId).values()].map((rows) => fold(rows)),
      )
    }
  })

  const lists = () => feedStore(history, database)
  const everything = async (feed: string, to: number): Promise<FeedDelta[]> => lists().deltas(feed, 0, to, 10_000)

  test.each(CALLERS.map((groups) => ({ groups })))(
    'a list is filled with what a selector holds for, for $groups',
    async ({ groups }) => {
      let sizes = 0
      await fc.assert(
        fc.asyncProperty(selectorBodies, async (body) => {
          const feed = newFeed()
          const selector = selectorOf(body)
          const compiled = compileSelector(selector)
          const wanted = views.get(String(groups))!.filter((view) => compiled.holds({ ...view, retracted: false }, NOW))
          await lists().fill(listOf(feed, 7), { database, rules: BUILT_IN, groups, selector }, 1n)
          const ids = wanted.map(({ entityId }) => entityId)
          sizes += ids.length
          const found = await lists().members(feed, 7, ids)
          expect([...found.keys()].sort()).toEqual(ids.toSorted())
          expect(await lists().rank(listOf(feed, 7), 1n)).toEqual({ items: ids.length, inside: ids.length })
          for (const view of wanted) {
            const { item: shown, leavesAt } = found.get(view.entityId)!
            const { reputation, accuracy, tags, firstSeen, lastSeen, type, value } = view
            expect(shown).toMatchObject({ reputation, accuracy, tags, firstSeen, lastSeen, type, value })
            expect(leavesAt).toBe(compiled.leavesAt({ ...view, retracted: false }))
          }
          await lists().remove(feed)
        }),
        { numRuns: RUNS, seed: SEED },
      )
      expect(sizes).toBeGreaterThan(RUNS)
    },
    120_000,
  )

  test('a step is stored whole: deltas, members and the head, which is found with all others', async () => {
    const feed = newFeed()
    const deltas: FeedDelta[] = [
      { sequence: 1, op: 'add', reason: 'reported', at: NOW, item: item(1) },
      { sequence: 2, op: 'remove', reason: 'aged', at: NOW + 1, item: item(2) },
    ]
    const members = [member(item(1), 'listed', { leavesAt: NOW + 9 }), member(item(2), 'gone')]
    const head = headOf(feed, { sequence: 2, items: 1, inside: 1, applied: { 0: 5, 11: 2 ** 40 } })
    const version = await writtenAnew(lists(), [{ head, members, deltas }])
    expect((await lists().heads()).filter((one) => one.feed.id === feed)).toEqual([head])
    expect(await everything(feed, 2)).toEqual(deltas)
    expect(await lists().deltas(feed, 1, 2, 10)).toEqual(deltas.slice(1))
    expect(await everything(feed, 1)).toEqual(deltas.slice(0, 1))
    const went = [
      { entityId: idOf(1), added: true },
      { entityId: idOf(2), added: false },
    ]
    const minute = { since: Date.now() - 60_000, version: 0n }
    const all = await lists().passed(feed, { ...minute, to: 2 }, 10)
    expect(all.map(({ entityId, added }) => ({ entityId, added }))).toEqual(went)
    for (const { storedAt } of all) expect(Math.abs(storedAt - Date.now())).toBeLessThan(60_000)
    expect(await lists().passed(feed, { ...minute, to: 2 }, 1)).toEqual(all.slice(1))
    expect(await lists().passed(feed, { ...minute, to: 1 }, 10)).toEqual(all.slice(0, 1))
    expect(await lists().passed(feed, { ...minute, version, to: 2 }, 10)).toEqual([])
    expect(await lists().passed(feed, { ...minute, since: Date.now() + 60_000, to: 2 }, 10)).toEqual([])
    const found = await lists().members(feed, 1, [idOf(1), idOf(2), idOf(3)])
    expect([...found.values()].sort((a, b) => inListOrder(a.item, b.item))).toEqual(members)
    // What was cut off is made anew, with other steps under the same numbers.
    const again = { ...deltas[1]!, sequence: 1 }
    await writtenAnew(lists(), [{ head: { ...head, sequence: 1 }, members: members.slice(1), deltas: [again] }])
    expect(await everything(feed, 1)).toEqual([again])
  })

  test('lists that are held are counted by who holds them, until they are released or gone', async () => {
    const states = feedStates(history)
    const { guard, owner } = await states.held()
    const feeds = [newFeed(), newFeed(), newFeed(), newFeed()] as const
    const by = ['guard', 'owner', 'guard', null] as const
    const heads = feeds.map((feed, i) => {
      const holder = by[i]!
      return headOf(feed, { held: holder === null ? null : { by: holder, at: NOW, epoch: 2 } })
    })
    await writtenAnew(
      lists(),
      heads.map((head) => ({ head, members: [], deltas: [] })),
    )
    expect(await states.held()).toEqual({ guard: guard + 2, owner: owner + 1 })
    await writtenAnew(lists(), [{ head: { ...heads[0]!, held: null }, members: [], deltas: [] }])
    await lists().remove(feeds[1])
    expect(await states.held()).toEqual({ guard: guard + 1, owner })
  })

  test('the ends of a list with a cap, and what leaves by time, are found in order', async () => {
    const feed = newFeed()
    const all = Array.from({ length: 9 }, (_, i) =>
      member(item(i, { reputation: -1 - (i % 3), lastSeen: NOW + i }), i < 6 ? 'listed' : 'left', {
        leavesAt: i % 2 === 0 ? NOW + 100 - i : null,
      }),
    )
    await writtenAnew(lists(), [{ head: headOf(feed), members: [...all, member(item(20), 'gone')], deltas: [] }])
    const inOrder = (state: MemberState) =>
      all.filter((one) => one.state === state).sort((a, b) => inListOrder(a.item, b.item))
    const { listed, left } = await lists().edge(feed, 1, 2)
    expect(listed).toEqual(inOrder('listed').toReversed().slice(0, 2))
    expect(left).toEqual(inOrder('left').slice(0, 2))
    const leaving = (limit: number, waiting: number | null = null) =>
      lists().leaving(feed, { epoch: 1, waiting }, NOW + 96, limit)
    expect(await leaving(10)).toEqual([all[8], all[6], all[4]])
    expect(await leaving(1)).toEqual([all[8]])
    // What waits beside a list that is held has the last word: one went, one stays longer, one came and leaves.
    const came = member(item(30), 'listed', { leavesAt: NOW + 90 })
    const later = { ...all[6]!, leavesAt: NOW + 500 }
    await lists().put(listOf(feed, 2), [member(all[8]!.item, 'gone'), later, came], 2n)
    expect(await leaving(10, 2)).toEqual([came, all[4]])
  })

  /** Random lists: an entity of each number, as it stands in the list and in what waits; null: not there. */
  const anyMember = fc.option(
    fc.record({ reputation: fc.constantFrom(-3, -2, -1), lastSeen: fc.constantFrom(NOW, NOW + 1) }),
    { nil: null },
  )
  const anyLists = fc.array(fc.tuple(anyMember, fc.option(anyMember, { nil: undefined })), {
    minLength: 1,
    maxLength: 12,
  })

  test('what waited is merged into a list, and compared with it: deltas lead from one to the other', async () => {
    await fc.assert(
      fc.asyncProperty(anyLists, fc.constantFrom(null, 2, 5), async (given, cap) => {
        const feed = newFeed()
        const old = given.flatMap(([was], n) => (was === null ? [] : [item(n, was)])).sort(inListOrder)
        const waiting = given.flatMap(([was, now], n) => {
          if (now === undefined || (now === null && was === null)) return []
          const reason = 'faded' as const
          return [member(item(n, now ?? was!), now === null ? 'gone' : 'listed', { reason, at: NOW + 5 })]
        })
        const start = old.map((of, i) => member(of, cap !== null && i >= cap ? 'left' : 'listed'))
        await lists().put(listOf(feed, 1), start, 1n)
        await lists().put(listOf(feed, 2), waiting, 1n)
        await lists().merge(listOf(feed, 3, cap), { epoch: 1, waiting: 2 }, 2n)
        const size = await lists().rank(listOf(feed, 3, cap), 3n)
        const told = await lists().compare(listOf(feed, 3, cap), 1, 10, 4n)

        const selected = new Map(old.map((of) => [of.entityId, of]))
        for (const { item: of, state } of waiting)
          if (state === 'gone') selected.delete(of.entityId)
          else selected.set(of.entityId, of)
        const list = [...selected.values()].sort(inListOrder).slice(0, cap ?? selected.size)
        expect(size).toEqual({ items: list.length, inside: selected.size })

        const deltas = await lists().deltas(feed, 10, 1_000, 1_000)
        expect(deltas.map(({ sequence }) => sequence)).toEqual(Array.from({ length: told }, (_, i) => 11 + i))
        const replica = new Map(old.slice(0, cap ?? old.length).map((of) => [of.entityId, of]))
        for (const { op, item: of } of deltas) {
          expect(replica.has(of.entityId)).toBe(op !== 'add')
          if (op === 'remove') replica.delete(of.entityId)
          else replica.set(of.entityId, of)
        }
        expect([...replica.keys()].sort()).toEqual(list.map(({ entityId }) => entityId).sort())
        for (const of of list) expect(replica.get(of.entityId)!.reputation).toBe(of.reputation)
        const rank = (delta: FeedDelta) => (delta.op === 'remove' ? 0 : 1)
        const ordered = deltas.toSorted((a, b) => rank(a) - rank(b) || inListOrder(a.item, b.item))
        expect(deltas).toEqual(ordered)
        const moved = new Set(waiting.map(({ item: of }) => of.entityId))
        for (const { item: of, reason } of deltas) expect(reason).toBe(moved.has(of.entityId) ? 'faded' : 'cap')
        await lists().remove(feed)
      }),
      { numRuns: longer(6), seed: SEED },
    )
  }, 120_000)

  test('what a selector does not hold for any more leaves the list with the reason of the new one', async () => {
    const feed = newFeed()
    const groups = ['public']
    const fill = (epoch: number, body: object) =>
      lists().fill(listOf(feed, epoch), { database, rules: BUILT_IN, groups, selector: selectorOf(body) }, 1n)
    await fill(1, {})
    await fill(2, { types: ['ip'] })
    const told = await lists().compare(listOf(feed, 2), 1, 0, 2n)
    const deltas = await everything(feed, told)
    expect(new Set(deltas.map(({ op, reason }) => `${op} ${reason}`))).toEqual(new Set(['remove selector']))
    expect(deltas.some(({ item: of }) => of.type === 'ip')).toBe(false)
    await lists().forget(feed, 3, [2])
    expect((await lists().rank(listOf(feed, 1), 1n)).items).toBe(0)
    expect((await lists().rank(listOf(feed, 2), 1n)).items).toBeGreaterThan(0)
  })

  test('a check finds what of a list is wrong, and nothing else', async () => {
    const feed = newFeed()
    const groups = ['public', 'blue']
    const selector = selectorOf({ types: ['ip'] })
    await lists().fill(listOf(feed, 7, 5), { database, rules: BUILT_IN, groups, selector }, 1n)
    const size = await lists().rank(listOf(feed, 7, 5), 2n)
    expect(size.items).toBe(5)
    const head = headOf(feed, { epoch: 7, sequence: 3, ...size })
    const of = { ...head.feed, selector, groups, cap: 5 }
    const deltas = [1, 2, 3].map((sequence): FeedDelta => {
      return { sequence, op: 'add', reason: 'reported', at: NOW, item: item(sequence) }
    })
    await writtenAnew(lists(), [{ head: { ...head, feed: of }, members: [], deltas }])
    const checks = feedChecks(history, database)
    let version = 100n
    const faults = async (by: Partial<FeedHead> = {}) => {
      await writtenAnew(lists(), [{ head: { ...head, feed: of, ...by }, members: [], deltas: [] }])
      const found = await checks.faults({ ...head, feed: of, ...by }, { database, rules: BUILT_IN, now: NOW }, 100)
      return found.map(({ kind }) => kind).sort()
    }
    expect((await checks.heads()).some((one) => one.feed.id === feed)).toBe(true)
    expect(await faults()).toEqual([])

    expect(await faults({ items: 6, inside: size.inside + 1 })).toEqual(['inside', 'items'])
    expect(await faults({ feed: { ...of, cap: 4 } })).toEqual(['cap'])
    expect(await faults({ sequence: 4 })).toEqual(['gap'])
    await writtenAnew(lists(), [{ head, members: [], deltas: [{ ...deltas[0]!, sequence: 6 }] }])
    expect(await faults({ sequence: 6 })).toEqual(['gap'])

    const { listed, left } = await lists().edge(feed, 7, 1)
    const [last, next] = [listed[0]!, left[0]!]
    await lists().put(
      listOf(feed, 7),
      [
        { ...last, state: 'left' },
        { ...next, state: 'listed' },
      ],
      ++version,
    )
    expect(await faults()).toEqual(['order'])
    const other = { ...last, item: { ...last.item, tags: ['a tag of nobody'] } }
    const stranger = member(item(200, { reputation: 3 }), 'left')
    await lists().put(listOf(feed, 7), [other, { ...next, state: 'gone' }, stranger], ++version)
    expect(await faults()).toEqual(
      [`extra ${idOf(200)}`, `missing ${next.item.entityId}`, `other ${last.item.entityId}`].sort(),
    )
    // A list that is held is behind, and what is selected by now is no fault of it.
    expect(await faults({ held: { by: 'owner', at: NOW, epoch: 8 } })).toEqual([])
  })
}
