import { expect, test, vi } from 'vitest'
import type { NewLinks } from '../../../../../../api/live/services/following/new-links.ts'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import { readerChanges } from '../../../../../../api/live/services/following/reader-changes.ts'
import type { WideViews } from '../../../../../../api/live/services/following/wide-views.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { changesFrom, type Report } from '../../../../../builders/api/live/random-changes.ts'

const READER = readerOf(['blue', 'public'])
const PATIENCE = { pausesMs: [1], forMs: 1_000 }
const always = (): boolean => true

const rest: Omit<Report, 'audience'> = {
  value: 'a.example',
  reputation: -2,
  tags: [],
  source: 's1',
  links: ['b.example'],
}
const [narrow, second] = changesFrom([
  { ...rest, audience: ['public'] },
  { ...rest, audience: ['blue'] },
])
const PLACED = [narrow!, { ...second!, wide: true }].map((change, offset) => ({ change, offset, time: 0 }))

/** Fails so many times, then answers. */
function failing<T>(times: number, answer: T) {
  let failed = 0
  return vi.fn(async () => {
    if (failed++ < times) throw new Error('the history store is away')
    return answer
  })
}

const noLinks = (times = 0) => failing<Awaited<ReturnType<NewLinks>>>(times, new Map())
const noView = (times = 0) => failing<Awaited<ReturnType<WideViews>>>(times, null)

test('each question is asked until it is answered, and none again that was', async () => {
  const [scoring, newLinks, wideViews] = [vi.fn(builtIn), noLinks(2), noView(1)]
  const told = await readerChanges({ scoring, newLinks, wideViews }, PATIENCE)(READER, PLACED, always)
  expect(told.map(({ placed }) => placed.offset)).toEqual([0])
  expect([scoring, wideViews, newLinks].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 3])
})

test('a store that stays away is asked for a bounded time', async () => {
  const newLinks = noLinks(Number.POSITIVE_INFINITY)
  const tell = readerChanges({ scoring: builtIn, newLinks, wideViews: noView() }, { pausesMs: [1], forMs: 20 })
  await expect(tell(READER, PLACED, always)).rejects.toThrow('away')
  expect(newLinks.mock.calls.length).toBeGreaterThan(1)
})

test('the time is that of all questions together', async () => {
  const ports = { scoring: builtIn, newLinks: noLinks(1), wideViews: noView(1) }
  const tell = readerChanges(ports, { pausesMs: [30], forMs: 20 })
  await expect(tell(READER, PLACED, always)).rejects.toThrow('away')
  expect(ports.newLinks).toHaveBeenCalledTimes(1)
})

test('nothing is asked again for who has left', async () => {
  const newLinks = noLinks(1)
  const tell = readerChanges({ scoring: builtIn, newLinks, wideViews: noView() }, PATIENCE)
  await expect(tell(READER, PLACED, () => false)).rejects.toThrow('away')
  expect(newLinks).toHaveBeenCalledTimes(1)
})
