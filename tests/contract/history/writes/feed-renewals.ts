import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { feedChecks } from '../../../../connectors/history/feeds-out/checks.ts'
import { itemsIn } from '../../../../connectors/history/feeds-out/list-rows.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { handleCommand } from '../../../../pipelines/jobs/feeds-out/command-handler.ts'
import { forgetLeftOvers } from '../../../../pipelines/jobs/feeds-out/forget-left-overs.ts'
import { type KeptLists, keptLists } from '../../../../pipelines/jobs/feeds-out/kept-lists.ts'
import { type KnownFeed, knownFeeds } from '../../../../pipelines/jobs/feeds-out/known-feeds.ts'
import type { MakingContext } from '../../../../pipelines/jobs/feeds-out/list-maker.ts'
import { storeSteps } from '../../../../pipelines/jobs/feeds-out/step-feeds.ts'
import { expiredOf, renewList } from '../../../../pipelines/jobs/feeds-out/sweep-lists.ts'
import type { FeedStep } from '../../../../pipelines/processors/feeds-out/step.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import { headOf, idOf, item, listsIn, newFeed } from '../../../builders/history/feed-lists.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { during } from '../../../builders/suite/during.ts'

const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const ENTITIES = 6

/** What is done to a list: an entity comes, changes or goes; or one of the others. */
type Act = { n: number; to: number | null } | 'renew' | 'hold' | 'release'

const anyStep: fc.Arbitrary<Act> = fc.record({
  n: fc.nat(ENTITIES - 1),
  to: fc.constantFrom(null, null, -1, -2, -3),
})
const anyActs = fc.array(
  fc.oneof({ weight: 4, arbitrary: anyStep }, { weight: 1, arbitrary: fc.constant<Act>('renew') }),
  { minLength: 2, maxLength: 7 },
)
/** A list is filled, moved, held, moved while it is, let through, and moved again. */
const anyLife = fc.tuple(anyActs, anyActs, anyActs).map(([before, held, after]): Act[] => {
  const filled = Array.from({ length: ENTITIES - 2 }, (_, n): Act => ({ n, to: -2 }))
  return [...filled, ...before, 'hold', ...held, 'renew', 'release', ...after]
})

export function feedRenewals(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string
  /** Of the one process that keeps all of these lists. */
  let lists: KeptLists
  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
    lists = keptLists(feedStore(history, database), () => undefined)
    version = Number(await lists.claim(BigInt(version)))
  })

  let version = 1_000
  let epoch = 1_000
  const newEpoch = (): number => ++epoch

  /** The job of one feed, over the store; what it is told to be wrong, and the deltas that it publishes. */
  function job(cap: number | null, over: Partial<KeptLists> = {}) {
    const id = newFeed()
    const feeds = knownFeeds()
    const published: number[] = []
    const failures: string[] = []
    const of = headOf(id, { gone: 0 })
    const known: KnownFeed = feeds.add({ ...of, feed: { ...of.feed, cap } })
    const context = {
      feeds,
      applied: {},
      newVersion: () => ++version,
      newEpoch,
      options: { now: () => NOW, report: () => undefined, onFailure: (what: string) => failures.push(what) },
      ports: {
        store: { ...lists, ...over },
        log: {
          send: async ([batch]: { messages: { value: number }[] }[]) =>
            void published.push(...batch!.messages.map(({ value }) => value)),
        },
        encode: (_: string, { sequence }: { sequence: number }) => sequence,
      },
      make: () => undefined,
    } as unknown as MakingContext & { make: () => void }
    const selected = new Map<string, FeedItem>()

    async function step(n: number, to: number | null): Promise<void> {
      const entityId = idOf(n)
      const before = selected.get(entityId) ?? null
      const after = to === null ? null : item(n, { reputation: to })
      if (before === null && after === null) return
      if (after === null) selected.delete(entityId)
      else selected.set(entityId, after)
      const one: FeedStep = { entityId, before, after, reason: 'reported', at: NOW + n, leavesAt: null, leftAt: null }
      await storeSteps(context, new Map([[known, [one]]]))
    }

    return {
      id,
      known,
      context,
      published,
      failures,
      step,
      renew: () => renewList(context, known),
      async begin(): Promise<void> {
        await context.ports.store.write([{ head: known.head, members: [], deltas: [] }], BigInt(++version))
      },
      async act(act: Act): Promise<void> {
        if (act === 'renew') await renewList(context, known)
        else if (typeof act === 'string') await handleCommand(context, { kind: act, id, at: NOW })
        else await step(act.n, act.to)
      },
      /** What readers, mirrors and `feed verify` are given. */
      async seen() {
        const read = (await listsIn(history, database).read(id))!
        const items: FeedItem[] = []
        for await (const some of itemsIn(read.rows, read.items)) items.push(...some)
        const { deltas } = (await listsIn(history, database).deltas(id, 0, 10_000))!
        const { feed, held, epoch: _, version: __, made: ___, gone: ____, ...head } = known.head
        const by = { database, rules: BUILT_IN, now: NOW }
        const faults = await feedChecks(history, database).faults(known.head, by, 100)
        return { items, deltas, head, held: held !== null, faults: faults.map(({ kind }) => kind).sort(), published }
      },
      epochs: async () => (await feedStore(history, database).epochs()).filter(({ feed }) => feed === id),
    }
  }

  const goneIn = async (feed: string): Promise<number> => {
    const sql = "SELECT count() AS n FROM feed_members FINAL WHERE feed = {feed:UUID} AND state = 0 AND entity_id != ''"
    const [row] = await history.query<{ n: string }>({ sql, params: { feed } })
    return Number(row!.n)
  }

  test('stays the same list with the same deltas, for its readers and for a check, whenever it is copied', async () => {
    let renewals = 0
    await fc.assert(
      fc.asyncProperty(anyLife, fc.constantFrom(null, 2), async (acts, cap) => {
        const [renewed, plain] = [job(cap), job(cap)]
        // One process writes, one write after another.
        for (const one of [renewed, plain]) await one.begin()
        for (const act of acts) {
          if (act === 'release') expect(await renewed.seen()).toEqual(await plain.seen())
          await renewed.act(act)
          if (act !== 'renew') await plain.act(act)
          else renewals++
        }
        const seen = await renewed.seen()
        expect(seen).toEqual(await plain.seen())
        // None of these entities is reported, so each is one too many, and nothing else is wrong.
        expect(seen.faults.filter((kind) => !kind.startsWith('extra '))).toEqual([])
        await renewed.renew()
        expect(await goneIn(renewed.id)).toBe(0)
        expect((await renewed.epochs()).map((one) => one.epoch).sort((a, b) => a - b)).toEqual([
          0,
          renewed.known.head.epoch,
        ])
        expect(renewed.failures).toEqual([])
      }),
      { numRuns: longer(2), seed: SEED },
    )
    expect(renewals).toBeGreaterThan(2)
  }, 120_000)

  test('counts what goes, and begins again with a copy; what waits keeps what it has to take out of the list', async () => {
    const { begin, step, act, renew, known, id } = job(null)
    await begin()
    for (const n of [0, 1, 2]) await step(n, -3)
    for (const n of [0, 1]) await step(n, null)
    expect([known.head.gone, await goneIn(id)]).toEqual([2, 2])
    await renew()
    expect([known.head.gone, await goneIn(id)]).toEqual([0, 0])
    await act('hold')
    await step(2, null)
    await step(3, -3)
    await step(3, null)
    expect([known.head.gone, await goneIn(id)]).toEqual([2, 2])
    await renew()
    expect([known.head.gone, await goneIn(id)]).toEqual([0, 1])
    await act('release')
    expect(known.head).toMatchObject({ items: 0, inside: 0, gone: 0, held: null })
  })

  test('is where it was when the process ends in the middle, and what was left is removed at the next start', async () => {
    const real = feedStore(history, database)
    let fails: 'copy' | 'write' | 'forget' | null = null
    const cut =
      <A extends unknown[], R>(name: 'copy' | 'write' | 'forget', done: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        // The answer is lost: what was asked for is done.
        const answer = await done(...args)
        if (fails === name) throw new Error('killed')
        return answer
      }
    for (const at of ['copy', 'write', 'forget'] as const) {
      const forget = async (): Promise<void> => {
        if (fails === 'forget') throw new Error('killed')
      }
      const { begin, step, known, context, id, epochs } = job(null, {
        copy: cut('copy', lists.copy),
        write: cut('write', lists.write),
        forget,
      })
      await begin()
      for (const n of [0, 1, 2]) await step(n, -3)
      await step(1, null)
      fails = at
      await renewList(context, known).catch((error: Error) => expect(error.message).toBe('killed'))
      fails = null
      // Another process begins with what is stored.
      const heads = await real.heads()
      const other = { options: context.options, ports: { store: real }, newEpoch }
      const [head] = (await forgetLeftOvers(other, heads)).filter(({ feed }) => feed.id === id)
      expect(head).toMatchObject({ items: 2, inside: 2, sequence: 4 })
      expect((await epochs()).map((one) => one.epoch).sort((a, b) => a - b)).toEqual([0, head!.epoch])
      const read = (await listsIn(history, database).read(id))!
      const items: FeedItem[] = []
      for await (const some of itemsIn(read.rows, read.items)) items.push(...some)
      expect(items.map(({ entityId }) => entityId)).toEqual([idOf(0), idOf(2)])
    }
  })

  test('a start removes what no head names, keeps the rest, and counts what a version of before did not', async () => {
    const real = feedStore(history, database)
    const [older, orphan] = [job(null), newFeed()]
    await older.begin()
    for (const n of [0, 1, 2]) await older.step(n, -3)
    for (const n of [0, 1]) await older.step(n, null)
    await older.act('hold')
    await older.step(2, null)
    const { gone: _, ...before } = older.known.head
    await lists.write([{ head: before, members: [], deltas: [] }], BigInt(++version))
    const nobodys = { feed: orphan, epoch: 7, cap: null, reason: 'selector' as const, at: NOW }
    await real.copy(older.id, ++epoch, { epoch: 1, beside: null }, BigInt(++version))
    await real.put(
      nobodys,
      [{ item: item(1), state: 'listed', leavesAt: null, reason: 'selector', at: NOW }],
      BigInt(++version),
    )
    const heads = await forgetLeftOvers(older.context, await real.heads())
    const head = heads.find(({ feed }) => feed.id === older.id)!
    expect((await older.epochs()).map((one) => one.epoch).sort((a, b) => a - b)).toEqual([0, 1, head.held!.epoch])
    expect((await real.epochs()).some(({ feed }) => feed === orphan)).toBe(false)
    // The row of what waits; the head in its epoch may be counted too.
    expect(head.gone).toBeGreaterThanOrEqual(1)
    expect(older.failures).toEqual([])
  })

  test('an epoch that is being filled beside it stays', async () => {
    const { begin, step, renew, known, context, id } = job(null)
    await begin()
    await step(1, -3)
    known.filling = context.newEpoch()
    const filling = { feed: id, epoch: known.filling, cap: null, reason: 'selector' as const, at: NOW }
    await lists.put(
      filling,
      [{ item: item(5), state: 'listed', leavesAt: null, reason: 'selector', at: NOW }],
      BigInt(++version),
    )
    await renew()
    expect((await lists.members(id, filling.epoch, [idOf(5)])).size).toBe(1)
    expect((await lists.members(id, known.head.epoch, [idOf(1)])).size).toBe(1)
  })

  test('what leaves a held list by time alone is looked at once', async () => {
    const { begin, step, act, known, context } = job(null)
    await begin()
    await step(1, -3)
    await context.ports.store.put(
      { feed: known.head.feed.id, epoch: 1, cap: null, reason: 'aged', at: NOW },
      [{ item: item(1, { reputation: -3 }), state: 'listed', leavesAt: NOW - 1, reason: 'reported', at: NOW }],
      BigInt(++version),
    )
    await act('hold')
    const live = { generation: '', rules: BUILT_IN, rows: { rowsOf: async () => [], groupsOf: async () => new Map() } }
    const { steps } = await expiredOf(known, context.ports, live, NOW)
    expect(steps).toHaveLength(1)
    await storeSteps(context, new Map([[known, steps]]))
    expect(known.head).toMatchObject({ items: 1, inside: 0 })
    expect((await expiredOf(known, context.ports, live, NOW)).steps).toEqual([])
  })
}
