import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionStore } from '../../../../connectors/history/feeds-out/collections/collection-store.ts'
import { collections } from '../../../../connectors/history/feeds-out/collections/reads.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { collectionSteps } from '../../../../pipelines/processors/exchange/collection-steps.ts'
import { objectsOf } from '../../../../schemas/exchange/stix/objects.ts'
import { type CollectionFilter, readFilter } from '../../../../schemas/feeds-out/collections/filter.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { OpenStore, Store } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'

const FEED = '5c6f3a51-0000-4000-8000-000000000009'

const itemAt = (value: string): FeedItem => ({
  entityId: entityId('ip', value),
  type: 'ip',
  value,
  reputation: -3,
  accuracy: 2,
  tags: [],
  firstSeen: NOW - 1_000,
  lastSeen: NOW - 1_000,
})

const filterOf = (given: Parameters<typeof readFilter>[0] = {}): CollectionFilter => {
  const read = readFilter(given)
  if (!read.ok) throw new Error(read.message)
  return read.filter
}

export function collectionsOfFeeds(open: OpenStore): void {
  let store: Store
  let history: History
  beforeAll(async () => {
    store = await open()
    ;({ history } = await store.migrated())
  }, 60_000)
  afterAll(() => store?.close())

  test('versions are served in the order of their dates, the last of each; what comes late is refused', async () => {
    const ours = collectionStore(history)
    const others = collectionStore(history)
    const reads = collections(history)
    const page = async (after: number, limit: number, filter = filterOf()) =>
      reads.page({ feed: FEED, after, limit, filter, texts: true })
    const walk = async (limit: number, filter = filterOf()) => {
      const found = []
      for (let after: number | null = 0; after !== null; ) {
        using read = await page(after, limit, filter)
        const { objects, next } = read
        found.push(...objects.map(({ added, version, said }) => ({ added, version, ...JSON.parse(`${said}`) })))
        after = next
      }
      return found
    }
    const stepsAt = async (last: number, now: number, ids: string[]) => {
      const entities = await ours.entities(FEED, ids)
      const claims = [...entities.values()].flatMap(({ objects }) => objects.filter(({ inForce }) => inForce))
      const texts = await ours.texts(
        FEED,
        claims.map(({ added }) => added),
      )
      const facts = { id: FEED, isPublic: false }
      return collectionSteps({ facts, write: objectsOf, last, now, entities, plain: new Map(), texts })
    }

    expect(await page(0, 10)).toMatchObject({ objects: [], next: null })
    let version = await ours.claim(1)
    const first = await stepsAt(0, NOW, [])
    const items = Array.from({ length: 50 }, (_, n) => itemAt(`198.51.100.${n}`))
    for (const item of items) first.put(item, NOW + 60_000)
    const write = { feed: FEED, rows: first.rows(), sequence: 50, added: first.last() }
    expect(await ours.write([write], version + 1, version)).toBe(true)
    version += 1
    expect(await ours.places()).toEqual(new Map([[FEED, { added: first.last(), sequence: 50 }]]))
    const all = await walk(7)
    expect(all).toHaveLength(200)
    expect(all.map(({ added }) => added)).toEqual([...new Set(all.map(({ added }) => added))].sort((a, b) => a - b))
    expect(await walk(7)).toEqual(await walk(1_000))

    const id = items[20]!.entityId
    const second = await stepsAt(first.last(), NOW + 5_000, [id])
    second.remove(id)
    const removal = { feed: FEED, rows: second.rows(), sequence: 51, added: second.last() }
    // Another process took over meanwhile: what follows an earlier write is nobody's.
    const theirs = await others.claim(version + 1)
    expect(await ours.write([removal], version + 5, version)).toBe(false)
    expect(await walk(1_000)).toEqual(all)
    expect(await others.write([removal], theirs + 1, theirs)).toBe(true)

    const now = await walk(9)
    expect(now).toHaveLength(200)
    const revoked = now.slice(-3)
    expect(revoked.map((one) => [one.type, one.revoked])).toEqual([
      ['indicator', true],
      ['relationship', true],
      ['sighting', true],
    ])
    const [indicator] = revoked
    const versions = await walk(9, filterOf({ id: indicator!.id, version: 'all' }))
    expect(versions.map((one) => one.version)).toEqual([NOW * 1_000, (NOW + 5_000) * 1_000])
    expect((await walk(9, filterOf({ id: indicator!.id, version: 'first' })))[0]).toEqual(
      all.find((one) => one.id === indicator!.id),
    )
    expect(await walk(9, filterOf({ type: 'sighting' }))).toHaveLength(50)
    // Merged, the rows say the same.
    await history.command('OPTIMIZE TABLE taxii_objects FINAL')
    expect(await walk(9)).toEqual(now)
    const known = (await ours.entities(FEED, [id])).get(id)!
    expect([known.live, known.life, known.objects.some(({ inForce }) => inForce)]).toEqual([false, 0, false])
    expect(await ours.due(FEED, 0, NOW + 61_000, 100)).toHaveLength(49)
    expect(await ours.due(FEED, 0, NOW, 100)).toEqual([])
    expect(await ours.left(FEED, 1, 100)).toHaveLength(49)
    await ours.remove(FEED)
    expect(await ours.places()).toEqual(new Map())
  }, 60_000)
}
