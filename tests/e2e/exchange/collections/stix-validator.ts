import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { definitions } from '../../../../schemas/intelligence/entities/catalogue.ts'
import { sendBulk } from '../../../builders/api/bulk-platform.ts'
import { itemsOf } from '../../../builders/feeds/catalogue-items.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { orSkip, readStix, type StixDocument } from '../../../clients/prepare.ts'

/** What the platform serves of entities of every type goes through the library and the validator of STIX (decisions 15.2, 15.3). */
/** @param aBundle of each so many entities the bundle of one is looked at */
export function stixValidator(shared: Shared, aBundle: number): void {
  const { folder, platform } = shared
  /** What is listed follows from what was reported, however long a busy machine takes for it. */
  const WAITS_MS = 150_000
  const LONG_MS = 500_000
  const A_PAGE = 100
  const root = '/taxii2/harrier/collections'

  type Thing = { id: string; type: string; name?: string; modified?: string; revoked?: boolean }
  type Made = { id: string; type: string; value: string; reputation: number }

  let feed: string
  const made: Made[] = []

  /**
   * An entity of each type, in turns bad, unknown and good, every other one related to the one before it. In two requests, as
   * one is related to what was taken: each of many is a batch for all jobs.
   */
  async function reportAll(): Promise<void> {
    const all = definitions().map(({ type }, n) => {
      const { value } = fc.sample(itemsOf(type), { numRuns: 1, seed: 21 })[0]!
      return { n, type, value, reputation: [-3, -1, 0, 2][n % 4]! }
    })
    const taken: typeof all = []
    for (const turn of [0, 1]) {
      const some = all.filter(({ n }) => n % 2 === turn)
      const bodies = some.map(({ n, type, value, reputation }) => {
        const before = turn === 1 ? taken.findLast((one) => one.n < n) : undefined
        const related = before && {
          mode: 'association',
          type: before.type,
          attributes: { [before.type]: before.value },
        }
        return JSON.stringify({
          type,
          attributes: { [type]: value },
          reputation,
          tags: ['kinds', `of-${type}`],
          visibleBy: ['public'],
          ...(related && { associations: [related] }),
        })
      })
      const { lines } = await sendBulk(platform.url, bodies.join('\n'), ADMINISTRATOR)
      for (const [at, { n, type, value, reputation }] of some.entries()) {
        const { id, error } = lines[at]!
        // Some values of the catalogue are not taken from reports, such as private addresses.
        if (id === undefined) expect([type, error?.code]).toEqual([type, 'invalid_parameter'])
        else {
          made.push({ id, type, value, reputation })
          if (turn === 0) taken.push({ n, type, value, reputation })
        }
      }
    }
  }

  beforeAll(async () => {
    await reportAll()
    const body = { name: 'kinds', selector: { tags: { any: ['kinds'] }, reputation: { lte: 3 } }, groups: ['public'] }
    const answer = await platform.ask('/api/feeds/v1/feeds', { ...body, guard: null })
    expect(answer.status).toBe(201)
    feed = answer.body.id
    const live = await eventually(
      () => platform.ask(`/api/feeds/v1/feeds/${feed}`),
      ({ body: { items } }) => items === made.length,
      WAITS_MS,
    )
    // What leaves a collection is revoked: such versions are looked at too. What left before it was filled never was in it.
    const gone = made.filter(({ reputation }) => reputation === -1).slice(0, 12)
    await eventually(
      async () => new Set((await pages('objects/')).flat().map(({ name }) => name)),
      (names) => gone.every(({ value }) => names.has(value)),
      WAITS_MS,
    )
    for (const { type, value } of gone)
      await platform.ask('/api/ingest/v1/well-known', { type, attributes: { [type]: value }, covers: false })
    await eventually(
      () => platform.ask(`/api/feeds/v1/feeds/${feed}`),
      ({ body: { items } }) => items === live.body.items - gone.length,
      WAITS_MS,
    )
    // Each of them had an indicator.
    await eventually(
      () => pages('objects/'),
      (all) => all.flat().filter(({ revoked }) => revoked === true).length >= gone.length,
      WAITS_MS,
    )
  }, LONG_MS)

  const idsOf = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id)

  /** What a resource of the collection lists, page by page. */
  async function pages(resource: string, query = ''): Promise<Thing[][]> {
    const found: Thing[][] = []
    for (let next = ''; ; ) {
      const path = `${root}/${feed}/${resource}?limit=${A_PAGE}&match[version]=all${query}${next}`
      const { status, body } = await platform.ask(path)
      expect(status).toBe(200)
      found.push(body.objects ?? [])
      if (body.more !== true) return found
      next = `&next=${body.next}`
    }
  }

  const bundleOf = (objects: readonly object[]): string =>
    JSON.stringify({ type: 'bundle', id: 'bundle--11111111-1111-4111-8111-111111111111', objects })

  /** What is found in documents, which say what is wrong with them. */
  async function found(texts: readonly string[], skip: (why: string) => never): Promise<StixDocument[]> {
    const read = await orSkip(readStix(), skip)
    const place = join(folder, `documents-${Math.random()}`)
    mkdirSync(place)
    const files = texts.map((text, n) => {
      writeFileSync(join(place, `${n}.json`), text)
      return join(place, `${n}.json`)
    })
    const documents = await read(...files)
    for (const { refused, other_ids } of documents)
      expect({ refused, other_ids }).toEqual({ refused: [], other_ids: [] })
    return documents
  }

  type Read = { all: Thing[][]; lists: StixDocument[]; bundles: StixDocument[] }
  let read: Promise<Read> | undefined
  /** Both kinds in one go: the start of the library takes longer than to read some of them. */
  const documents = (skip: (why: string) => never): Promise<Read> => {
    read ??= readAll(skip).catch((error: unknown) => {
      read = undefined
      throw error
    })
    return read
  }

  async function readAll(skip: (why: string) => never): Promise<Read> {
    const all = await pages('objects/')
    const bundles = await Promise.all(
      made
        .filter((_, n) => n % aBundle === 0)
        .map(async ({ id }) => {
          const answer = await fetch(`${platform.url}/api/search/v1/entity/${id}.stix`, { headers: ADMINISTRATOR })
          expect([id, answer.status]).toEqual([id, 200])
          return answer.text()
        }),
    )
    const both = await found([...all.map(bundleOf), ...bundles], skip)
    return { all, lists: both.slice(0, all.length), bundles: both.slice(all.length) }
  }

  test(
    'every object of every page of a collection, revoked ones too, is what the standard says',
    async ({ skip }) => {
      const { all, lists } = await documents(skip)
      expect(made.length).toBeGreaterThan(100)
      expect(all.length).toBeGreaterThan(1)
      expect(lists.flatMap(({ types }) => types)).toHaveLength(all.flat().length)
      expect(new Set(lists.flatMap(({ types }) => types)).size).toBeGreaterThan(15)
      expect(all.flat().filter(({ revoked }) => revoked === true).length).toBeGreaterThan(3)
    },
    LONG_MS,
  )

  test(
    'every object that the manifest names is there, in this version, as the collection has it',
    async () => {
      type Line = { id: string; version: string; date_added: string }
      // Read one after the other, while something may still come.
      const [lines, all] = await eventually(
        async () => [(await pages('manifest/')).flat() as unknown as Line[], (await pages('objects/')).flat()] as const,
        ([named, there]) => isDeepStrictEqual(idsOf(named), idsOf(there)),
        WAITS_MS,
      )
      expect(idsOf(lines)).toEqual(idsOf(all))
      const listed = new Map(lines.map(({ id, version }, n) => [`${id} ${version}`, all[n]!]))
      // Of each type the last one, by the route of one object.
      const chosen = [...Map.groupBy(lines, ({ id }) => id.split('--')[0]!).values()].map((some) => some.at(-1)!)
      for (const { id, version } of chosen) {
        const { status, body } = await platform.ask(`${root}/${feed}/objects/${id}/?match[version]=${version}`)
        expect([id, status, body.objects?.length]).toEqual([id, 200, 1])
        const [one] = body.objects as Thing[]
        expect([one!.id, one!.modified ?? version]).toEqual([id, version])
        expect(one).toEqual(listed.get(`${id} ${version}`))
      }
    },
    LONG_MS,
  )

  test(
    'the bundle of every entity is what the standard says',
    async ({ skip }) => {
      const { bundles } = await documents(skip)
      const related = bundles.filter(({ types }) => types.includes('relationship'))
      expect(related.length).toBeGreaterThan(bundles.length / 3)
    },
    LONG_MS,
  )
}
