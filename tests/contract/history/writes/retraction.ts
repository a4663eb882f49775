import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { analytics } from '../../../../api/intelligence/services/analytics/analytics.ts'
import { overlaps } from '../../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../../api/intelligence/services/analytics/recent.ts'
import { coverings } from '../../../../api/intelligence/services/entity/covering.ts'
import { entityLookup } from '../../../../api/intelligence/services/entity/entity-lookup.ts'
import { entityViews } from '../../../../api/intelligence/services/entity/entity-views.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { historyMemory, NO_MEMORY } from '../../../../api/intelligence/services/search/history-memory.ts'
import { historySearch } from '../../../../api/intelligence/services/search/history-search.ts'
import { searchTotals } from '../../../../connectors/history/sql/queries/search-queries.ts'
import { countedByTag } from '../../../../connectors/history/sql/queries/tagged-search.ts'
import { entitySurface } from '../../../../connectors/history/sql/search/entity-surface.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../../../connectors/history/stores/retraction.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import type { RetractResult } from '../../../../connectors/operations/retractions/port.ts'
import { RetractionPending } from '../../../../connectors/operations/retractions/port.ts'
import { faultOf } from '../../../../pipelines/processors/intelligence/validate.ts'
import { runRetraction } from '../../../../pipelines/retract/run-retract.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import { observing } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../builders/intelligence/observation.ts'

/** The feed of recent entities forgets after a month. */
const NOW = Date.now() - 4 * HOUR
const RULES = { dedupeWindow: HOUR, locate: () => ({ country: 'Chad', asn: 1, aso: 'x' }) }
const WINDOW = { from: NOW - HOUR, to: NOW + HOUR }
const LATER = NOW + 2 * HOUR

export function retractions(open: OpenStore): void {
  const { history } = migrated(open)

  const observe = observing(history, RULES)
  const apply = (observations: readonly Observation[]) =>
    observe(observations.map((o) => (o.kind === 'retraction' ? o : { ...o, id: randomUUID() })))

  /** Reports of a feed, or of others, about an address of this test alone. */
  const said = (value: string, given: Partial<Observation> = {}): Observation =>
    observation({
      value,
      entityId: entityId('ip', value),
      source: 'bad',
      sourceKind: 'feed',
      reputation: -3,
      observedAt: NOW,
      ...given,
    })

  /** What the jobs do with a record: they apply it, refuse it, or stand still. */
  type Fate = 'applied' | 'refused' | 'waiting'

  /**
   * The command, over a log that is applied as it is written; `before` is done before the n-th write of it. Its clock goes
   * on while it waits.
   */
  async function retract(
    before: (n: number) => Promise<void> = async () => undefined,
    fateOf: (o: Observation) => Fate = () => 'applied',
  ): Promise<RetractResult> {
    let [now, waiting] = [LATER, 0]
    const written = new Map<string, Observation>()
    let writes = 0
    return runRetraction(
      {
        store: { ...retractionStore(history), ...observationStore(history) },
        encode: (o) => {
          expect(faultOf(o, LATER)).toBeNull()
          const name = randomUUID()
          written.set(name, o)
          return Buffer.from(name)
        },
        log: {
          send: async (batches) => {
            await before(writes++)
            const all = batches.flatMap(({ messages }) => messages.map(({ value }) => written.get(String(value))!))
            waiting += all.filter((o) => fateOf(o) === 'waiting').length
            await apply(all.filter((o) => fateOf(o) === 'applied'))
          },
          offsets: async () => [{ partition: 0, low: 0, high: waiting }],
          committed: async () => [{ partition: 0, offset: 0 }],
        },
      },
      {
        ...WINDOW,
        source: 'bad',
        reason: null,
        dryRun: false,
        dedupeWindow: HOUR,
        patience: { stalledMs: 60_000, mostMs: Number.POSITIVE_INFINITY },
        now: () => now,
        pause: async (ms) => {
          now += ms
        },
        signal: new AbortController().signal,
        onProgress: () => undefined,
      },
    )
  }

  const reader = (groups: string[] = []) => readers(history, () => NOW).of(['public', ...groups])
  const rowOf = async (value: string, audience = ['public']) =>
    (await observationStore(history).rowsOf([entityId('ip', value)])).find((r) => r.audience === audienceId(audience))!
  const tagged = (tag: string): Clause => ({
    is: 'equals',
    field: { name: 'tags', kind: 'keyword' },
    values: [tag],
    caseless: false,
  })
  const networks = () => coverings(history, entityViews(history), () => NOW)

  /** How often an address with this tag is found, by everything that finds one. */
  async function found(value: string, tag: string, groups: string[] = []) {
    const as = await reader(groups)
    const scope = countedByTag(as, tagged(tag))!
    const items = async (surface: Parameters<typeof searchTotals>[0]['surface'], clause: Clause) =>
      Number((await history.query<{ items: string }>(searchTotals({ surface, clause, collapse: null })))[0]!.items)
    const folded = overlaps(history, () => NOW)
    const overview = await analytics(history, folded).overview(as, 30, NOW)
    const feed = await recent({ history, lookups: storeSource(history) }, folded)(
      as,
      { hours: 720, limit: 100, maliciousOnly: false },
      NOW,
    )
    return {
      lookup: (await entityLookup(storeSource(history), networks())(as, [value])).items,
      byTag: await items(scope.surface, scope.query),
      search: await items(entitySurface(as), tagged(tag)),
      views: (await entityViews(history).views(as, [entityId('ip', value)])).size,
      recent: feed.items.filter((item) => item.value === value).length,
      tag: overview.top_tags.find(({ key }) => key === tag)?.count ?? 0,
    }
  }
  const once = { lookup: 1, byTag: 1, search: 1, views: 1, recent: 1, tag: 1 }
  const never = { lookup: 0, byTag: 0, search: 0, views: 0, recent: 0, tag: 0 }

  test('an entity of which nothing counts is in no view, and a new report brings it back as new', async () => {
    const value = '8.8.1.1'
    await apply([said(value, { tags: ['gone1'], attributes: { text: 'x' } })])
    expect(await found(value, 'gone1')).toEqual(once)
    expect(await retract()).toMatchObject({ retracted: 1, left: 0 })
    expect(await found(value, 'gone1')).toEqual(never)
    expect(await rowOf(value)).toMatchObject({
      retracted: true,
      sources: 0,
      tags: [],
      lostTags: ['gone1'],
      attributes: {},
    })
    await apply([said(value, { source: 'good', tags: ['new1'], attributes: { port: '22/tcp' }, observedAt: LATER })])
    expect(await found(value, 'gone1')).toMatchObject({ byTag: 0, search: 0, tag: 0, lookup: 1 })
    expect(await found(value, 'new1')).toEqual(once)
    expect(await rowOf(value)).toMatchObject({
      retracted: false,
      tags: ['new1'],
      attributes: { port: '22/tcp' },
      firstSeen: LATER,
    })
  })

  test('a member of a group is shown what counts in the audiences that it reads, and nothing else', async () => {
    const value = '8.8.2.1'
    await apply([said(value, { tags: ['open2'] }), said(value, { tags: ['own2'], source: 'blue', audience: ['blue'] })])
    await retract()
    expect(await found(value, 'open2')).toEqual(never)
    expect(await found(value, 'open2', ['blue'])).toMatchObject({ byTag: 0, search: 0, tag: 0, lookup: 1, views: 1 })
    expect(await found(value, 'own2', ['blue'])).toEqual(once)
  })

  test('tags and attributes go that no other report of the audience gives, and earlier values come back', async () => {
    const value = '8.8.3.1'
    await apply([
      said(value, {
        source: 'good',
        tags: ['both', 'kept'],
        attributes: { text: 'old', port: '1/tcp' },
        observedAt: NOW - 1,
      }),
      said(value, { tags: ['both', 'mine'], attributes: { text: 'new', country: 'Peru', port: '1/tcp' } }),
      said(value, { source: 'red', audience: ['red'], tags: ['mine'] }),
    ])
    expect(await rowOf(value)).toMatchObject({ country: 'Peru', tags: ['both', 'kept', 'mine'] })
    await retract()
    const row = await rowOf(value)
    expect(row).toMatchObject({ tags: ['both', 'kept'], lostTags: ['mine'], retracted: false, country: 'Chad' })
    expect(row.attributes).toEqual({ text: 'old', port: '1/tcp' })
    expect(row.attributeTimes.text).toBe(NOW - 1)
    expect((await rowOf(value, ['red'])).tags).toEqual(['mine'])
    expect(await found(value, 'mine')).toMatchObject({ byTag: 0, search: 0, tag: 0 })
  })

  test('a report that comes between the look and the record loses no tag, and the rest is taken all the same', async () => {
    const value = '8.8.4.1'
    await apply([said(value, { source: 'good', tags: ['kept4'] }), said(value, { tags: ['again4', 'mine4'] })])
    let meanwhile = 0
    const result = await retract(async (n) => {
      if (n > 2) return
      meanwhile++
      await apply([said(value, { source: `other${n}`, tags: ['again4'], observedAt: NOW + n })])
    })
    expect(meanwhile).toBe(3)
    expect(result).toMatchObject({ retracted: 1, left: 0 })
    expect((await rowOf(value)).tags).toEqual(['again4', 'kept4'])
  })

  test('an entity that is reported without a pause keeps its tags, and the command says so', async () => {
    const value = '8.8.5.1'
    await apply([said(value, { source: 'good', tags: [] }), said(value, { tags: ['mine5'] })])
    const result = await retract(async (n) => {
      await apply([said(value, { source: 'good', tags: [], observedAt: NOW + n + 1 })])
    })
    expect(result).toMatchObject({ retracted: 1, left: 1 })
    expect((await rowOf(value)).tags).toEqual(['mine5'])
    // A description alone that the jobs refuse is left, and not called retracted.
    expect(await retract(undefined, () => 'refused')).toMatchObject({ retracted: 0, refused: 0, left: 1 })
    expect(await retract()).toMatchObject({ retracted: 1, left: 0 })
    expect((await rowOf(value)).tags).toEqual([])
    expect(await retract()).toMatchObject({ retracted: 0 })
  })

  test('what the jobs refuse is not called retracted, and can be asked for again', async () => {
    const [taken, refused] = ['8.8.20.1', '8.8.20.2']
    await apply([taken, refused].map((value) => said(value, { tags: ['mine20'] })))
    const fate = ({ value }: Observation): Fate => (value === refused ? 'refused' : 'applied')
    const result = await retract(undefined, fate)
    expect(result).toMatchObject({ retracted: 1, refused: 1, left: 0 })
    expect((await rowOf(taken)).claims).toEqual([])
    expect((await rowOf(refused)).claims).toHaveLength(1)
    expect(await retract(undefined, fate)).toMatchObject({ retracted: 0, refused: 1, before: result.before + 1 })
    expect(await retract()).toMatchObject({ retracted: 1, refused: 0 })
    expect((await rowOf(refused)).claims).toEqual([])
  })

  test('when the jobs stand still, it says how many records wait; the same again goes on once they are applied', async () => {
    const value = '8.8.22.1'
    await apply([said(value, { tags: ['mine22'] })])
    let sent: Observation | undefined
    const standing = retract(undefined, (o) => {
      sent = o
      return 'waiting'
    })
    await expect(standing).rejects.toThrow(RetractionPending)
    await expect(standing).rejects.toMatchObject({ waiting: 1, message: expect.stringContaining('are in the log') })
    expect((await rowOf(value)).claims).toHaveLength(1)
    await apply([sent!])
    expect((await rowOf(value)).claims).toEqual([])
    expect(await retract()).toMatchObject({ retracted: 0, refused: 0, left: 0 })
  })

  test('a feed that is imported again after the retraction counts, with its tags', async () => {
    const value = '8.8.6.1'
    await apply([said(value, { source: 'good', tags: [] }), said(value, { tags: ['mine6'] })])
    await retract()
    await apply([said(value, { tags: ['mine6'] })])
    expect((await rowOf(value)).tags).toEqual(['mine6'])
    expect(await retract()).toMatchObject({ retracted: 1 })
    expect((await rowOf(value)).tags).toEqual([])
  })

  test('history keeps the records, and says which were taken back', async () => {
    const value = '8.8.7.1'
    await apply([
      said(value, { source: 'good' }),
      said(value),
      said(value, { observedAt: NOW + 3 * HOUR, reputation: -1 }),
    ])
    await retract()
    await apply([said(value, { observedAt: NOW + 1, reputation: -2 })])
    const sort = { by: { column: 'time' }, order: 'asc' } as const
    const question = { query: value, accuracy: null, reputation: null, source: { includes: [], excludes: [] }, sort }
    // What was retracted is asked for with the page, remembered, or too much to be remembered.
    for (const memory of [NO_MEMORY, historyMemory(history, Date.now), historyMemory(history, Date.now, { few: 0 })]) {
      const search = historySearch(history, networks(), memory)
      const page = await search.simple(await reader(), { ...question, limit: 10, page: 1 })
      const shown = page.results.map((record) => {
        const { reputation, retracted } = record as { reputation: number; retracted?: boolean }
        return [reputation, retracted ?? false]
      })
      expect(shown.sort()).toEqual([
        [-1, false],
        [-2, false],
        [-3, false],
        [-3, true],
      ])
    }
  })
}
