import { beforeAll, expect, test } from 'vitest'
import { sharedStatements } from '../../../../api/intelligence/services/search/shared-statements.ts'
import type { History, Query } from '../../../../connectors/history/port.ts'
import {
  type HistoryRow,
  type SimpleSearch,
  simplePage,
} from '../../../../connectors/history/sql/queries/history-queries.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { searchForms } from '../../../../schemas/intelligence/ingest/search-forms.ts'
import { tagOf } from '../../../../schemas/intelligence/ingest/tags.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../builders/intelligence/observation.ts'

const NOW = Date.now()
const PUBLIC = [audienceId(['public'])]
const BOTH = [...PUBLIC, audienceId(['blue'])]
const NEWEST = { by: { column: 'time' }, order: 'desc' } as const
const LIMIT = 10

/** Three records of each of thirty addresses, every third for one group; all with the same country, a port and a tag. */
const records = Array.from({ length: 90 }, (_, i) => ({
  observation: observation({
    value: `198.51.100.${i % 30}`,
    observedAt: NOW - HOUR + i,
    audience: i % 3 === 0 ? ['blue'] : ['public'],
    attributes: { country: 'Peru', port: `${i % 7}/tcp` },
    tags: [`tag-${i % 5}`],
  }),
  partition: 0,
  offset: i,
  accuracy: 1,
  wellKnown: false,
  audience: audienceId(i % 3 === 0 ? ['blue'] : ['public']),
}))

const searchFor = (query: string, audiences: readonly bigint[]): SimpleSearch => ({
  audiences,
  anyOf: searchForms(query),
  allOf: [],
  tags: [tagOf(query)].filter((tag) => tag !== null),
  entity: null,
  accuracy: null,
  reputation: null,
})

const QUERIES = [
  ...Array.from({ length: 32 }, (_, i) => `198.51.100.${i}`),
  ...Array.from({ length: 8 }, (_, i) => `${i}/tcp`),
  'Tag-1',
  'no such value',
]

export function searchesTogether(open: OpenStore): void {
  const { history } = migrated(open)
  const asked: Query[] = []
  const watched: Pick<History, 'query'> = {
    query: (query) => {
      asked.push(query)
      return history.query(query)
    },
  }

  beforeAll(async () => {
    await observationStore(history).history(records, 'all')
  })

  const alone = async (search: SimpleSearch) =>
    (await history.query<HistoryRow>(simplePage(search, NEWEST, 1000, 0))).map(({ id }) => id)

  async function compare(records: number | undefined): Promise<number> {
    asked.length = 0
    const search = sharedStatements(watched, records === undefined ? {} : { records })
    const searches = [...QUERIES, 'Peru'].flatMap((query) => [searchFor(query, PUBLIC), searchFor(query, BOTH)])
    const pages = await Promise.all(searches.map((one) => search(one, LIMIT)))
    const statements = asked.length
    for (const [i, one] of searches.entries()) {
      const should = await alone(one)
      expect(pages[i]!.rows.map(({ id }) => id)).toEqual(should.slice(0, LIMIT))
      // Only a search alone may leave the total open, and then its page is full.
      if (pages[i]!.items === null) expect(pages[i]!.rows.length).toBe(LIMIT)
      else expect(pages[i]!.items).toBe(should.length)
    }
    return statements
  }

  test('each has the records that it has alone, and they share statements', async () => {
    // Two at once and then the rest, for each of the readers, in statements of at most 32.
    expect(await compare(undefined)).toBe(2 * (2 + 2))
  })

  test('a tag in either case finds the records that carry it, and a group that may not read one finds none', async () => {
    const search = sharedStatements(history)
    const [open, blue] = await Promise.all([
      search(searchFor('TAG-1', PUBLIC), 1000),
      search(searchFor('TAG-1', [audienceId(['red'])]), 1000),
    ])
    const tagged = records.filter(({ observation }) => observation.tags.includes('tag-1'))
    expect(open.rows.map(({ audience }) => audience)).toEqual(
      tagged.filter(({ observation }) => observation.audience[0] === 'public').map(() => String(PUBLIC[0])),
    )
    expect(blue).toEqual({ rows: [], items: 0 })
  })

  test('a statement that may not have found all is asked again, each alone', async () => {
    expect(await compare(20)).toBeGreaterThan(80)
  })

  test('a record whose terms are other ones today is found by those that are stored, each search alone', async () => {
    const [kept] = await history.query<HistoryRow>(simplePage(searchFor('198.51.100.7', PUBLIC), NEWEST, 1, 0))
    asked.length = 0
    const search = sharedStatements({
      query: async <Row>(query: Query) => {
        asked.push(query)
        // As if a rule had made a term of it that it has no more.
        const rows = await history.query<Row>(query)
        return (query.params.terms === undefined ? rows : [{ ...kept!, value: 'another' }, ...rows]) as Row[]
      },
    })
    const searches = QUERIES.slice(0, 5).map((query) => searchFor(query, PUBLIC))
    const pages = await Promise.all(searches.map((one) => search(one, LIMIT)))
    for (const [i, one] of searches.entries()) expect(pages[i]!.rows.map(({ id }) => id)).toEqual(await alone(one))
    // Two at once, three together, and these again.
    expect(asked.length).toBe(2 + 1 + 3)
  })

  test('a statement that fails is the failure of those that share it, and the next ones are answered', async () => {
    let failing = true
    const search = sharedStatements({
      query: (query) => (failing ? Promise.reject(new Error('out of order')) : history.query(query)),
    })
    const failed = await Promise.allSettled(QUERIES.map((query) => search(searchFor(query, BOTH), LIMIT)))
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
    failing = false
    const page = await search(searchFor('198.51.100.7', BOTH), LIMIT)
    expect(page.items).toBe(3)
  })
}
