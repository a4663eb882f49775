import { expect, test } from 'vitest'
import { knownFeed } from '../../../../../pipelines/jobs/exchange/known-feed.ts'
import { knownSteps, type Spoken } from '../../../../../pipelines/jobs/exchange/known-steps.ts'
import type { CollectionsPorts } from '../../../../../pipelines/jobs/exchange/ports.ts'
import { collectionWriting } from '../../../../../pipelines/jobs/exchange/writing.ts'
import type { CollectionSteps } from '../../../../../pipelines/processors/exchange/collection-steps.ts'
import { collectionWorld } from '../../../../builders/feeds/collection-world.ts'
import { headOf, item } from '../../../../builders/history/feed-lists.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const FEED = '5c6f3a51-0000-4000-8000-000000000009'
const feed = knownFeed(headOf(FEED))

/** A collection to which steps are added, each portion over what is stored by then. */
async function world() {
  const { ports, options } = collectionWorld(FEED)
  const writing = collectionWriting(ports, options)
  await writing.begin()
  let now = NOW
  return {
    ports,
    async add(spoken: Partial<Spoken>, act: (steps: CollectionSteps) => void, given: CollectionsPorts = ports) {
      const last = writing.place(FEED)?.added ?? 0
      const steps = await knownSteps({ ports: given, feed, last, now: now++ }, { items: [], gone: [], ...spoken })
      act(steps)
      await writing.add({ feed: FEED, rows: steps.rows(), sequence: 0, added: steps.last() })
      await writing.flush()
      return steps
        .rows()
        .map(({ object }) => `${object?.type}${object?.text.includes('"revoked":true') ? ' revoked' : ''}`)
    },
  }
}

test('a claim that a later release does not say is taken back, in a later life of its entity too', async () => {
  const { ports, add } = await world()
  const [one, changed] = [item(1), item(1, { tags: ['other'] })]
  await add({}, (steps) => steps.put(one, 0))
  await add({ gone: [one.entityId] }, (steps) => steps.remove(one.entityId))
  await add({ items: [one] }, (steps) => steps.put(one, 0))
  const less: CollectionsPorts = {
    ...ports,
    write: (...given) => ports.write(...given).filter(({ type }) => type !== 'sighting'),
  }
  const said = await add({ items: [changed] }, (steps) => steps.put(changed, 0), less)
  expect(said).toEqual(['indicator', 'relationship', 'sighting revoked'])
})

test('texts are read of claims alone that are taken back', async () => {
  const { ports, add } = await world()
  const items = [item(1), item(2), item(3)] as const
  await add({}, (steps) => {
    for (const one of items) steps.put(one, 0)
  })
  const read: number[] = []
  const counted: CollectionsPorts = {
    ...ports,
    store: {
      ...ports.store,
      texts(id, places) {
        read.push(places.length)
        return ports.store.texts(id, places)
      },
    },
  }
  const better = item(2, { reputation: 0 })
  await add({ items: [item(1, { tags: [] }), better], gone: [items[2].entityId] }, () => undefined, counted)
  // Indicator, relationship and sighting of the one that is no claim any more, and of the one that is gone.
  expect(read).toEqual([6])
})
