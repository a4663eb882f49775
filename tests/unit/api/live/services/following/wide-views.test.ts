import { expect, test, vi } from 'vitest'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import { type ViewNow, wideViews } from '../../../../../../api/live/services/following/wide-views.ts'
import { BUILT_IN } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../../schemas/intelligence/state/change.ts'
import { type ViewChange, viewChange } from '../../../../../../schemas/intelligence/state/view-change.ts'
import { changesFrom } from '../../../../../builders/api/live/random-changes.ts'

const reader = readerOf(['blue', 'public'])
const reads = (audience: readonly string[]): boolean => audience.some((group) => reader.groups.includes(group))

const REPORTS = [2, -3, 1, -1].map((reputation) => ({
  value: 'a.example',
  audience: ['public'],
  reputation,
  tags: [],
  source: 's1' as const,
  links: [],
}))
const PLAIN = changesFrom(REPORTS)
/** What each is to a reader whom nothing is hidden from. */
const PLAINLY = PLAIN.map((change) => viewChange(change, reads, BUILT_IN) as ViewChange)
const WIDE: readonly Change[] = PLAIN.map((change) => ({ ...change, wide: true }))

/** The store has what was reported up to `at`. */
function storeAt() {
  const place = { at: 0 }
  const viewNow = vi.fn<ViewNow>(async () => PLAINLY[place.at]!.after)
  return { place, viewNow, views: wideViews(viewNow) }
}

test('who follows is told what the view was before', async () => {
  const { place, views } = storeAt()
  for (const [i, change] of WIDE.entries()) {
    place.at = i
    const told = await views(reader, change, reads)
    if (i > 0)
      expect(told).toMatchObject({ kinds: ['scored'], before: { reputation: PLAINLY[i - 1]!.after.reputation } })
  }
})

test('a change that is asked for again, as after a store that failed, is told again', async () => {
  const { place, viewNow, views } = storeAt()
  await views(reader, WIDE[0]!, reads)
  place.at = 1
  const once = await views(reader, WIDE[1]!, reads)
  expect(once?.kinds).toEqual(['scored'])
  place.at = 2
  expect(await views(reader, WIDE[1]!, reads)).toEqual(once)
  const [one, other] = await Promise.all([views(reader, WIDE[2]!, reads), views(reader, WIDE[2]!, reads)])
  expect(other).toEqual(one)
  expect(one).toMatchObject({ before: { reputation: once!.after.reputation } })
  expect(viewNow.mock.calls.length).toBeLessThanOrEqual(4)
})

test('a stream that catches up is told of changes that others were told of before', async () => {
  const { place, views } = storeAt()
  for (const [i, change] of WIDE.entries()) {
    place.at = i
    await views(reader, change, reads)
  }
  const again = await Promise.all(WIDE.slice(0, 3).map((change) => views(reader, change, reads)))
  expect(again.map((told) => told?.kinds.length)).not.toContain(0)
  for (const told of again.slice(1)) expect(told?.before).toBeNull()
  // What is remembered of the last one is still right.
  expect(await views(reader, WIDE[3]!, reads)).toMatchObject({ before: { reputation: PLAINLY[2]!.after.reputation } })
})
