import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { openEnvironment } from '../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../connectors/lookups/index/index-folder.ts'
import { indexLookups } from '../../../connectors/lookups/index/index-lookups.ts'
import { indexStore } from '../../../connectors/lookups/index/open-index.ts'
import { type Lookups, TooManyBytes } from '../../../connectors/lookups/port.ts'
import { scanEntities } from '../../../connectors/lookups/scan-entities.ts'
import { storeLookups } from '../../../connectors/lookups/store-lookups.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import { type PresentView, presentViews } from '../../../schemas/intelligence/state/present.ts'
import { observing } from '../../builders/history/applied.ts'
import { migrated } from '../../builders/history/shared.ts'
import type { OpenStore } from '../../builders/history/stores.ts'
import { entityRow } from '../../builders/intelligence/entity-row.ts'
import { HOUR, NOW, observation } from '../../builders/intelligence/observation.ts'
import { retractionOf } from '../../builders/intelligence/retraction.ts'
import { shownOf, subsets } from '../../builders/lookups/looked-up.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const [PUBLIC, BLUE, RED] = [['public'], ['blue'], ['red']].map(audienceId) as [bigint, bigint, bigint]
const READERS = subsets([PUBLIC, BLUE, RED])
const SILENT = { audience: [], reputation: null, tags: [], links: [], attributes: {} }
const FAR_SOURCES = 300
const MANY = 64 * 1024 * 1024

const report = (value: string, given: Partial<Observation> = {}) => observation({ value, ...given })
const network = (value: string, given: Partial<Observation> = {}) => report(value, { type: 'cidr', ...given })

const retracted = [report('7.0.0.1', { tags: ['gone'] }), report('7.0.0.2', { tags: ['left'], audience: ['blue'] })]
const V6 = Array.from({ length: 40 }, (_, i) => `2001:db8::/${i + 30}`)

const OBSERVED: Observation[] = [
  report('8.8.8.8', { tags: ['t', 'ü', '\u{1f985}'] }),
  report('8.8.8.8', { type: 'text', reputation: 1 }),
  report('8.8.8.9', { source: 's1', reputation: -3, attributes: { port: '80', isp: 'ü' } }),
  report('8.8.8.9', { source: 's2', reputation: 2, trust: 0.1 }),
  // Of two audiences, which who reads both is shown folded.
  report('9.9.9.9', { source: 's1', reputation: -3, tags: ['a'] }),
  report('9.9.9.9', { source: 's2', reputation: 3, trust: 1, audience: ['blue'], tags: ['b'], observedAt: NOW + HOUR }),
  report('9.9.9.9', { source: 's3', reputation: null, audience: ['red'], observedAt: NOW - HOUR }),
  // With more claims than a change carries.
  ...Array.from({ length: FAR_SOURCES }, (_, i) => report('9.9.9.10', { source: `source-${i}` })),
  report('9.9.9.10', { audience: ['blue'], reputation: 2 }),
  ...retracted,
  report('7.0.0.2', { source: 's2' }),
  retractionOf([retracted[0]!], retracted[0]!, { from: 1, to: NOW }, NOW + 1),
  retractionOf([retracted[1]!], retracted[1]!, { from: 1, to: NOW }, NOW + 1),
  report('7.0.0.3', { kind: 'match', reputation: null, trust: 0, audience: ['blue'], observedAt: NOW + 9 * HOUR }),
  report('7.0.0.4'),
  report('7.0.0.4', { kind: 'match', reputation: null, trust: 0, audience: ['blue'], observedAt: NOW + 9 * HOUR }),
  report('half \ufffd', { type: 'text' }),
  report('6.0.0.1', { reputation: 1 }),
  report('6.0.0.1', { kind: 'verdict', audience: ['blue'], source: 'v', verdict: { reason: 'r', until: 0 } }),
  report('6.0.0.2', { kind: 'verdict', audience: ['blue'], source: 'v', verdict: { reason: 'r', until: 0 } }),
  report('5.0.0.1', { kind: 'well_known', reputation: null }),
  report('5.0.0.1', { audience: ['blue'] }),
  network('5.0.0.0/24', { kind: 'well_known', reputation: null, covers: true }),
  network('5.0.0.0/24', { audience: ['blue'] }),
  report('5.0.0.9'),
  report('5.0.0.9', { kind: 'covered', ...SILENT }),
  network('4.0.0.0/8'),
  network('4.4.0.0/16', { audience: ['blue'] }),
  network('4.4.4.0/24'),
  network('4.4.4.4/32'),
  report('4.4.4.4'),
  ...V6.map((value) => network(value)),
]

/** Of what one value is, in the order of their ids. */
const idsOf = (views: readonly PresentView[]): string[] => views.map(({ type }) => type).sort()

/** The promises of the port about what is looked up, on the store and on an index that was made of it. */
export function lookUps(open: OpenStore): void {
  const { history } = migrated(open)
  const own = ownFolder('lookups')
  const both: Partial<Record<'store' | 'index', Lookups>> = {}
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    await observing(history)(OBSERVED.map((o) => ({ ...o, entityId: entityId(o.type, o.value), id: randomUUID() })))
    await observationStore(history).entities([collision], 'collision')
    both.store = storeLookups(history)
    both.index = await indexed(history, both.store)
    return async () => {
      for (const close of closing) await close()
    }
  })

  /** Another value whose digest begins as that of 8.8.8.8. */
  const collision = entityRow({
    entityId: `ip-${entityId('ip', '8.8.8.8').slice(3, 19)}${'0'.repeat(48)}`,
    value: '8.8.4.4',
    audience: PUBLIC,
    firstSeen: NOW,
    lastSeen: NOW,
    scoredAt: NOW,
  })

  async function indexed(of: Pick<History, 'query'>, store: Lookups): Promise<Lookups> {
    const folder = indexFolder(join(own, 'lookup-index'))
    const index = indexStore(folder, 256 * 1024 * 1024, () => NOW).begin({ database: '', position: 0, applied: [] })
    for await (const part of scanEntities(of)) await index.append(part, {})
    await index.append([], { complete: true })
    index.promote()
    const env = openEnvironment(folder.current()!, null)
    closing.push(
      () => env.close(),
      () => index.close(),
    )
    return indexLookups(env, store)
  }

  describe.each(['store', 'index'] as const)('the %s', (by) => {
    const rows = (values: Iterable<string>, reader: readonly bigint[]) => both[by]!.rows(new Set(values), reader)
    const views = async (value: string, ...reader: bigint[]): Promise<PresentView[]> =>
      presentViews((await rows([value], reader)).get(value) ?? [], BUILT_IN)
    const view = async (value: string, ...reader: bigint[]): Promise<PresentView | undefined> =>
      (await views(value, ...reader))[0]

    /** The networks around something that a reader may read, narrowest first. */
    async function around(type: string, value: string, ...reader: bigint[]): Promise<string[]> {
      const found = (await both[by]!.around([{ type, value }], reader)).get(value) ?? []
      const known = await rows(found, reader)
      return found.filter((one) => known.has(one))
    }

    test('says who it is', () => expect(both[by]!.by).toBe(by))

    test('knows nothing of a value that nobody reported to these audiences', async () => {
      expect(await rows(['1.1.1.1', '', 'a\u0000b', 'é'.repeat(5_000)], [PUBLIC])).toEqual(new Map())
      expect(await rows(['8.8.8.8'], [RED])).toEqual(new Map())
      expect(await rows(['8.8.8.8'], [])).toEqual(new Map())
      expect(await rows([], [PUBLIC])).toEqual(new Map())
    })

    test('finds every type of a value, with all that is shown', async () => {
      const found = await views('8.8.8.8', PUBLIC)
      expect(idsOf(found)).toEqual(['ip', 'text'])
      expect(found.find(({ type }) => type === 'ip')).toMatchObject({
        entityId: entityId('ip', '8.8.8.8'),
        value: '8.8.8.8',
        reputation: -3,
        tags: ['t', 'ü', '\u{1f985}'],
        firstSeen: NOW,
        lastSeen: NOW,
      })
    })

    test('says all that a record shows where that is asked for', async () => {
      const found = await both[by]!.wholeRows(new Set(['8.8.8.9', '1.1.1.1']), [PUBLIC], MANY)
      expect([...found.keys()]).toEqual(['8.8.8.9'])
      const [view] = presentViews(found.get('8.8.8.9')!, BUILT_IN)
      expect(view).toMatchObject({ attributes: { port: '80', isp: 'ü' }, best: 2, worst: -3, reputation: -2 })
      expect((await rows(['8.8.8.9'], [PUBLIC])).get('8.8.8.9')![0]!.entityId).toBe(entityId('ip', '8.8.8.9'))
    })

    test('refuses more bytes of rows than it may answer with', async () => {
      const values = new Set(OBSERVED.map(({ value }) => value))
      await expect(both[by]!.wholeRows(values, [PUBLIC], 100)).rejects.toBeInstanceOf(TooManyBytes)
    })

    test('finds entities by their ids, with all that a record shows, what was taken back too', async () => {
      const ids = ['8.8.8.8', '8.8.8.9', '9.9.9.9', '9.9.9.10', '7.0.0.1', '7.0.0.2', '1.1.1.1'].map((value) =>
        entityId('ip', value),
      )
      const found = async (...reader: bigint[]) => {
        const of = await both[by]!.entities(ids, reader)
        return ids.map((id) =>
          of
            .get(id)
            ?.map(({ entityId: mine, retracted }) => `${mine === id} ${retracted}`)
            .sort(),
        )
      }
      const [once, gone] = ['true false', 'true true']
      expect(await found(PUBLIC)).toEqual([[once], [once], [once], [once], [gone], [once], undefined])
      expect(await found(BLUE)).toEqual([undefined, undefined, [once], [once], undefined, [gone], undefined])
      expect(await found(PUBLIC, BLUE)).toEqual([
        [once],
        [once],
        [once, once],
        [once, once],
        [gone],
        [once, gone],
        undefined,
      ])
      expect(await found()).toEqual(ids.map(() => undefined))
      const text = entityId('text', '8.8.8.8')
      const both8 = await both[by]!.entities([text, ids[0]!, ids[1]!], [PUBLIC])
      expect([both8.get(text)![0]!.type, both8.get(ids[0]!)![0]!.type]).toEqual(['text', 'ip'])
      expect(both8.get(ids[1]!)![0]).toMatchObject({
        value: '8.8.8.9',
        attributes: { port: '80', isp: 'ü' },
        best: 2,
        worst: -3,
      })
    })

    test('folds the rows that a reader may read by their claims', async () => {
      const seen = async (...reader: bigint[]) => {
        const { reputation, tags, firstSeen, lastSeen } = (await view('9.9.9.9', ...reader))!
        return [reputation, tags.join(), (firstSeen - NOW) / HOUR, (lastSeen - NOW) / HOUR]
      }
      expect(await seen(PUBLIC)).toEqual([-3, 'a', 0, 0])
      expect(await seen(BLUE)).toEqual([3, 'b', 1, 1])
      expect(await seen(RED)).toEqual([0, '', -1, -1])
      const [, ...folded] = await seen(PUBLIC, BLUE, RED)
      expect(folded).toEqual(['a,b', -1, 1])
    })

    test('shows nothing of what was taken back, and of what a match alone met', async () => {
      expect(await views('7.0.0.1', PUBLIC)).toEqual([])
      expect(await view('7.0.0.2', PUBLIC, BLUE)).toMatchObject({ tags: [] })
      expect(await views('7.0.0.2', BLUE)).toEqual([])
      expect(await views('7.0.0.3', BLUE)).toEqual([])
      expect(await view('7.0.0.4', PUBLIC)).toMatchObject({ lastSeen: NOW })
      expect(await view('7.0.0.4', PUBLIC, BLUE)).toMatchObject({ lastSeen: NOW + 9 * HOUR })
    })

    test('shows a verdict to its readers', async () => {
      expect(await view('6.0.0.1', PUBLIC)).toMatchObject({ reputation: 1 })
      expect(await view('6.0.0.1', PUBLIC, BLUE)).toMatchObject({ reputation: -3 })
      expect(await view('6.0.0.2', BLUE)).toMatchObject({ reputation: -3 })
      expect(await views('6.0.0.2', PUBLIC)).toEqual([])
    })

    test('shows marks, those that cover, and what they cover', async () => {
      const marks = async (value: string, ...reader: bigint[]) => {
        const { wellKnown, covered, covers } = (await view(value, ...reader))!
        return { wellKnown, covered, covers }
      }
      expect(await marks('5.0.0.1', PUBLIC)).toEqual({ wellKnown: true, covered: false, covers: false })
      expect(await marks('5.0.0.0/24', PUBLIC)).toEqual({ wellKnown: true, covered: false, covers: true })
      expect(await marks('5.0.0.0/24', BLUE)).toEqual({ wellKnown: true, covered: false, covers: false })
      expect(await marks('5.0.0.0/24', PUBLIC, BLUE)).toEqual({ wellKnown: true, covered: false, covers: true })
      expect(await marks('5.0.0.9', PUBLIC)).toEqual({ wellKnown: false, covered: true, covers: false })
    })

    test('takes no half of a pair of surrogates for the sign that stands in its place', async () => {
      expect([...(await rows(['half \ud83e', 'half \ufffd', '\udd85'], [PUBLIC])).keys()]).toEqual(['half \ufffd'])
    })

    test('finds a few of many values', async () => {
      const known = ['8.8.8.8', '9.9.9.9', '9.9.9.10', '5.0.0.1']
      const values = Array.from({ length: 20_000 }, (_, i) => `value ${i}`).concat(known)
      expect([...(await rows(values, [PUBLIC])).keys()].sort()).toEqual(known.sort())
    })

    test('finds the networks around an address, narrowest first', async () => {
      expect(await around('ip', '4.4.4.4', PUBLIC)).toEqual(['4.4.4.4/32', '4.4.4.0/24', '4.0.0.0/8'])
      expect(await around('ip', '4.4.4.4', PUBLIC, BLUE)).toEqual([
        '4.4.4.4/32',
        '4.4.4.0/24',
        '4.4.0.0/16',
        '4.0.0.0/8',
      ])
      expect(await around('ip', '4.4.4.5', BLUE)).toEqual(['4.4.0.0/16'])
      expect(await around('ip', '3.3.3.3', PUBLIC)).toEqual([])
    })

    test('finds the networks around a network, which is not around itself', async () => {
      expect(await around('cidr', '4.4.4.0/24', PUBLIC)).toEqual(['4.0.0.0/8'])
      expect(await around('cidr', '4.4.4.0/25', PUBLIC)).toEqual(['4.4.4.0/24', '4.0.0.0/8'])
      expect(await around('cidr', '4.0.0.0/7', PUBLIC)).toEqual([])
      expect(await around('cidr', V6[20]!, PUBLIC)).toEqual(V6.slice(0, 20).reverse())
    })

    test('finds networks however deep they are nested', async () => {
      expect(await around('ip', '2001:db8::', PUBLIC)).toEqual(V6.toReversed())
      expect(await around('ip', '2001:db8:0:0:ffff::', PUBLIC)).toEqual(V6.slice(0, 35).reverse())
    })

    test('finds the networks around many things at once', async () => {
      const inner: TypedValue[] = Array.from({ length: 1_200 }, (_, i) => ({
        type: 'ip',
        value: `4.4.${4 + (i % 2)}.${i >> 3}`,
      }))
      const found = await both[by]!.around(inner, [PUBLIC])
      for (const { value } of inner)
        expect(
          found
            .get(value)
            ?.filter((one) => one !== '4.4.0.0/16')
            .at(-1),
        ).toBe('4.0.0.0/8')
      expect((await both[by]!.around([], [PUBLIC])).size).toBe(0)
    })
  })

  test('store and index find the same by the first bytes of digests', async () => {
    const keys = [...new Set(OBSERVED.map(({ type, value }) => entityKey(entityId(type, value))))]
    const [none, last] = [0n, 2n ** 64n - 1n]
    for (const reader of READERS) {
      const seen = async (by: 'store' | 'index') =>
        presentViews(await both[by]!.keyed([...keys, none, last], reader), BUILT_IN)
          .filter((view) => view.value !== collision.value)
          .map((v) => [v.entityId, v.value, v.reputation, v.accuracy, v.tags.join(), v.firstSeen, v.lastSeen].join())
          .sort()
      const stored = await seen('store')
      expect(stored.length > 0).toBe(reader.length > 0)
      expect(await seen('index')).toEqual(stored)
    }
    expect([await both.store!.keyed([], [PUBLIC]), await both.index!.keyed([], [PUBLIC])]).toEqual([[], []])
  })

  test('store and index show every reader the same', async () => {
    const values = new Set(OBSERVED.map(({ value }) => value))
    for (const reader of READERS) {
      const [stored, found] = [
        await both.store!.wholeRows(values, reader, MANY),
        await both.index!.wholeRows(values, reader, MANY),
      ]
      for (const value of values)
        expect([value, reader, shownOf(found.get(value) ?? [])]).toEqual([
          value,
          reader,
          shownOf(stored.get(value) ?? []),
        ])
    }
  })
}
