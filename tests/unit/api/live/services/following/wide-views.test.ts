import { expect, test } from 'vitest'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import { type ViewNow, wideViews } from '../../../../../../api/live/services/following/wide-views.ts'
import type { Change } from '../../../../../../schemas/intelligence/state/change.ts'
import { type ChangedView, viewChange } from '../../../../../../schemas/intelligence/state/view-change.ts'
import { changesFrom, type Report } from '../../../../../builders/api/live/random-changes.ts'

const READER = readerOf(['blue', 'public'])
const reads = (): boolean => true

const report = (given: Partial<Report>): Report => ({
  value: 'a.example',
  audience: ['public'],
  reputation: -2,
  tags: [],
  source: 's1',
  links: [],
  ...given,
})

/** Changes of one entity with two rows, as if too many reported it, each with the view after it. */
const CHANGES: { change: Change; after: ChangedView }[] = changesFrom([
  report({ audience: ['blue'] }),
  report({ reputation: 1 }),
  report({ reputation: 2 }),
]).map((change) => {
  const view = viewChange(change, reads)
  if (view === null || view === 'wide') throw new Error('the change is of no view')
  return { change: { ...change, wide: true }, after: view.after }
})

const [first, second, third] = CHANGES as [(typeof CHANGES)[0], (typeof CHANGES)[0], (typeof CHANGES)[0]]

/** What is read is always the view after `shown`. */
function views() {
  let shown: ChangedView = first.after
  let away = false
  const viewNow: ViewNow = async () => {
    if (away) throw new Error('the history store is away')
    return shown
  }
  const wide = wideViews(viewNow)
  return {
    told: (change: Change) => wide(READER, change, reads),
    show: (view: ChangedView) => (shown = view),
    away: (is: boolean) => (away = is),
  }
}

test('the view before a change is what was told last', async () => {
  const { told, show } = views()
  await told(second.change)
  show(third.after)
  expect(await told(third.change)).toMatchObject({ kinds: ['scored'], before: first.after, after: third.after })
})

test('a change is told again to who comes back, though what it made is remembered', async () => {
  const { told, show } = views()
  show(third.after)
  const once = await told(third.change)
  expect(once).toMatchObject({ kinds: ['scored'] })
  expect(await told(third.change)).toMatchObject({ kinds: ['scored'], before: null, after: third.after })
  expect(await told(second.change)).toMatchObject({ before: null, after: third.after })
})

test('who is behind does not change what the next change was before', async () => {
  const { told, show } = views()
  show(second.after)
  await told(second.change)
  await told(first.change)
  show(third.after)
  expect(await told(third.change)).toMatchObject({ before: second.after, after: third.after })
})

test('a change that could not be read is told as the first time when it is read', async () => {
  const { told, show, away } = views()
  show(second.after)
  await told(second.change)
  away(true)
  await expect(told(third.change)).rejects.toThrow('away')
  away(false)
  show(third.after)
  expect(await told(third.change)).toMatchObject({ kinds: ['scored'], before: second.after })
})
