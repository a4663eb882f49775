import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Reader, readers } from '../../../../api/intelligence/services/readers.ts'
import { readAdvanced } from '../../../../api/intelligence/services/search/advanced.ts'
import { advancedEntities } from '../../../../api/intelligence/services/search/entity-search-service.ts'
import { boundedSearches } from '../../../../api/intelligence/services/search/search-bounds.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { compileSelector } from '../../../../schemas/intelligence/selectors/compile.ts'
import { searchOfSelector } from '../../../../schemas/intelligence/selectors/search.ts'
import type { SelectorView } from '../../../../schemas/intelligence/selectors/selector.ts'
import { fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import { recordsFrom, storeApplied } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'
import { selectorBodies, VALUES } from '../../../builders/intelligence/selectors/generated.ts'
import { located, selectable } from '../../../builders/intelligence/selectors/reports.ts'
import { selectorOf } from '../../../builders/intelligence/selectors/view.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { readableBy } from '../../../builders/search/oracle/generated/records.ts'
import { ALONE, UNHURRIED } from '../../../builders/search/unhurried.ts'

/** Random selectors of each reader; a search takes a tenth of a second. */
const RUNS = longer(20)
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const PAGE = 1000
/** One audience, several that overlap, and everything. */
const CALLERS = [['public'], ['public', 'blue'], ['public', 'blue', 'red', 'green']]

type Seen = { reader: Reader; views: readonly SelectorView[] }

export function selectorsAndSearches(open: OpenStore): void {
  const { history } = migrated(open)
  const seen = new Map<string, Seen>()

  beforeAll(async () => {
    const applied = applyBatch(new Map(), recordsFrom(0, selectable(SEED)), { dedupeWindow: 0, locate: located })
    await storeApplied(history, applied)
    for (const groups of CALLERS) {
      const readable = readableBy(groups)
      const mine = applied.rows.filter(({ audience }) => readable.has(audience))
      const views = [...Map.groupBy(mine, ({ entityId }) => entityId).values()]
      seen.set(String(groups), {
        reader: await readers(history, Date.now).of(groups),
        views: views.map((rows) => ({ ...fold(rows), retracted: false })),
      })
    }
  })

  /** Ids that the search of a selector finds at a moment. */
  async function found(body: object, { reader }: Seen, now = NOW): Promise<string[]> {
    const asked = { limit: PAGE, page: 1, sort: 'lastSeen', order: 'desc' } as const
    const { search, paging } = readAdvanced(asked, JSON.parse(JSON.stringify(body)), { surface: 'entities', now })
    const run = boundedSearches(history, UNHURRIED)
    const answer = await run(
      (ask) => advancedEntities({ history: ask, lookups: storeSource(ask) }, reader, search, paging),
      ALONE,
    )
    expect(answer.items).toBe(answer.results.length)
    return answer.results.map(({ id }) => String(id)).sort()
  }

  const inside = (body: unknown, { views }: Seen, now = NOW): string[] => {
    const selector = compileSelector(selectorOf(body))
    return views
      .filter((view) => selector.holds(view, now))
      .map(({ entityId }) => entityId)
      .sort()
  }

  const reader = (groups: readonly string[]): Seen => seen.get(String(groups))!

  test.each(CALLERS.map((groups) => ({ groups })))(
    'a selector holds for exactly what its search finds, for a reader in $groups',
    async ({ groups }) => {
      let sizes = 0
      await fc.assert(
        fc.asyncProperty(selectorBodies, fc.boolean(), async (body, exact) => {
          const search = searchOfSelector(selectorOf(body), exact ? NOW : undefined)
          const wanted = inside(body, reader(groups))
          sizes += wanted.length
          expect(await found(search, reader(groups))).toEqual(wanted)
        }),
        { numRuns: RUNS, seed: SEED },
      )
      expect(sizes).toBeGreaterThan(RUNS)
    },
    RUNS * 2000,
  )

  const [all] = CALLERS.slice(-1) as [string[]]
  const every = Object.values(VALUES).flat()
  test.each<[string, object]>([
    ['everything', {}],
    ['all of IPv4', { cidr: '0.0.0.0/0' }],
    ['all of IPv6', { cidr: '::/0' }],
    ['halves of it', { cidr: ['128.0.0.0/1', '8000::/1'] }],
    ['single addresses', { cidr: ['198.51.100.1/32', '2001:db8::1/128'] }],
    [
      'fifty networks, one inside the other',
      { cidr: Array.from({ length: 50 }, (_, i) => `198.51.100.0/${(i % 25) + 1}`) },
    ],
    ['a suffix beside names that end alike', { value: { suffix: 'example.com' } }],
    ['an IDN', { value: { suffix: 'bücher.example' } }],
    ['a top-level domain', { value: { suffix: 'com' } }],
    ['every value as it was spelled', { value: { in: every } }],
    ['a network that is a value', { value: { in: ['198.51.100.0/24'] } }],
    ['a prefix of several spellings', { value: { prefix: 'HTTP://Example' } }],
    ['a prefix that looks like SQL', { value: { prefix: "it's \\ {p0" } }],
    ['numbers and countries', { asn: ['AS64500'], country: ['FR'] }],
    ['tags of several alphabets', { tags: { any: ['ÜBER', '\u{1f600}'] } }],
  ])('hold for the same: %s', async (_, given) => {
    const body = { ...given, wellKnown: 'any' }
    const wanted = inside(body, reader(all))
    expect(wanted.length).toBeGreaterThan(0)
    expect(await found(searchOfSelector(selectorOf(body)), reader(all))).toEqual(wanted)
  })

  test.each([true, false])('marked and covered entities are inside as wellKnown says: %s', async (wellKnown) => {
    const wanted = inside({ wellKnown }, reader(all))
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.length).toBeLessThan(reader(all).views.length)
    expect(await found(searchOfSelector(selectorOf({ wellKnown })), reader(all))).toEqual(wanted)
  })

  test('ten thousand values, and a value of 64 KiB, are searched for', async () => {
    const listed = Array.from({ length: 9_990 }, (_, i) => `host${i}.example.net`)
    const body = { value: { in: [...listed, ...every.slice(0, 9), 'x'.repeat(65_536)] }, wellKnown: 'any' }
    const wanted = inside(body, reader(all))
    expect(wanted.length).toBeGreaterThan(5)
    expect(await found(searchOfSelector(selectorOf(body)), reader(all))).toEqual(wanted)
  })

  test('what leaves by time alone leaves the search at the same millisecond', async () => {
    const body = { seenWithin: '24h', wellKnown: 'any' }
    const leaves = reader(all).views.map((view) => compileSelector(selectorOf(body)).leavesAt(view)!)
    const moment = leaves.filter((at) => at > NOW).sort((a, b) => a - b)[0]!
    for (const now of [moment - 1, moment]) {
      expect(await found(searchOfSelector(selectorOf(body)), reader(all), now)).toEqual(inside(body, reader(all), now))
    }
    expect(inside(body, reader(all), moment).length).toBeLessThan(inside(body, reader(all), moment - 1).length)
  })
}
