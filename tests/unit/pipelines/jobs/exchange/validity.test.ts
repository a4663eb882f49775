import { expect, test } from 'vitest'
import { knownFeed } from '../../../../../pipelines/jobs/exchange/known-feed.ts'
import { validities } from '../../../../../pipelines/jobs/exchange/validity.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { collectionWorld } from '../../../../builders/feeds/collection-world.ts'
import { headOf, item } from '../../../../builders/history/feed-lists.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'

const FEED = '5c6f3a51-0000-4000-8000-000000000009'
const RULES = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const selector = selectorOf({ reputation: { lte: -1 } })
const feedOf = (groups: string[]) => knownFeed(headOf(FEED, { feed: { ...headOf(FEED).feed, groups, selector } }))

const rowsOf = (...reports: Partial<Observation>[]): EntityState[] =>
  reports.flatMap((given, offset) => {
    const made = observation({ value: '192.0.2.1', ...given })
    return [
      ...applyBatch(
        new Map(),
        [{ observation: made, partition: 0, offset, audience: audienceId(made.audience) }],
        RULES,
      ).rows,
    ]
  })

const of = { ...item(1), entityId: entityId('ip', '192.0.2.1') }

/** What is said of one item, to the reader in some groups. */
async function valid(groups: string[], rows: EntityState[], given = of, now = NOW) {
  const { state, ports } = collectionWorld(FEED)
  state.rows = rows
  state.groups = new Map([['public'], ['blue'], ['red']].map((one) => [audienceId(one), one]))
  const [found] = await validities(await ports.live(), [{ feed: feedOf(groups), items: [given] }], now)
  return found!.get(of.entityId)
}

test('a claim holds as long as what the reader of the feed may read of it; others change nothing', async () => {
  const open = rowsOf({ audience: ['public'], source: 'a' })
  const own = rowsOf({ audience: ['blue'], source: 'b', observedAt: NOW + DAY })
  const alone = (await valid(['public'], open))!
  expect(alone.lastSeen).toBe(NOW)
  expect(alone.until).toBeGreaterThan(NOW + 10 * DAY)
  expect(await valid(['public'], [...open, ...own])).toEqual(alone)
  expect(await valid(['public', 'red'], [...open, ...own])).toEqual(alone)
  const more = (await valid(['blue', 'public'], [...open, ...own], of, NOW + DAY))!
  expect([more.until, more.lastSeen]).toEqual([alone.until + DAY, NOW + DAY])
})

test('what is no claim, is not inside, or is not read by the reader has no time', async () => {
  const open = rowsOf({ audience: ['public'] })
  expect(await valid(['public'], open, { ...of, reputation: 0 })).toBeUndefined()
  expect(await valid(['public'], rowsOf({ audience: ['public'], reputation: 2 }))).toBeUndefined()
  expect(await valid(['public'], rowsOf({ audience: ['red'] }))).toBeUndefined()
})

test('what is public alone is read by everybody, and marked so', () => {
  expect([['public'], ['blue'], ['blue', 'public']].map((groups) => feedOf(groups).facts.isPublic)).toEqual([
    true,
    false,
    false,
  ])
  expect([['public'], ['blue'], ['blue', 'red'], ['red']].map(feedOf(['blue', 'public']).reads)).toEqual([
    true,
    true,
    true,
    false,
  ])
})
