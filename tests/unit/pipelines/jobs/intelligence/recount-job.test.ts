import { expect, test } from 'vitest'
import { compareCounts } from '../../../../../pipelines/jobs/intelligence/recount-job.ts'
import { fakeRecount, positions } from '../../../../builders/log/recount.ts'

const NONE = { counters: 0, difference: 0 }
const SOME = { counters: 2, difference: 5 }
const options = (given: Partial<Parameters<typeof compareCounts>[2]> = {}) => ({
  group: 'observe',
  topic: 't',
  repair: false,
  attempts: 3,
  pauseMs: 0,
  signal: new AbortController().signal,
  ...given,
})

test('drift is that of a copy taken while every record was applied', async () => {
  const { log } = positions([5, 0, 7], [5, null, 7])
  const { recount, asked } = fakeRecount(SOME)
  const compared = await compareCounts(log, recount, options())
  expect(compared).toEqual({ kind: 'compared', drift: SOME, corrected: false })
  expect(asked).toEqual(['open', 'copy', 'drift', 'close'])
})

test('nothing is copied while a record waits: its batch may be half stored', async () => {
  const { log } = positions([5, 7], [5, 6])
  const { recount, asked } = fakeRecount(SOME)
  expect(await compareCounts(log, recount, options())).toEqual({ kind: 'never still' })
  expect(asked).toEqual(['open', 'close'])
})

test('a partition that the group never committed waits too, unless it is empty', async () => {
  const { log } = positions([5, 7], [5, null])
  expect(await compareCounts(log, fakeRecount(NONE).recount, options())).toEqual({ kind: 'never still' })
})

test('a record that arrives during the copy makes it worthless, applied or not', async () => {
  const at = positions([5], [5])
  let arriving = 2
  const { recount, asked } = fakeRecount(NONE, () => {
    if (arriving-- > 0) at.ends[0] = at.committed[0] = at.ends[0]! + 1
  })
  expect(await compareCounts(at.log, recount, options())).toMatchObject({ kind: 'compared' })
  expect(asked).toEqual(['open', 'copy', 'copy', 'copy', 'drift', 'close'])
})

test('drift is corrected when asked to, and only drift', async () => {
  const { log } = positions([5], [5])
  const drifted = fakeRecount(SOME)
  const compared = await compareCounts(log, drifted.recount, options({ repair: true }))
  expect(compared).toEqual({ kind: 'compared', drift: SOME, corrected: true })
  expect(drifted.asked).toEqual(['open', 'copy', 'drift', 'correct', 'close'])
  const right = fakeRecount(NONE)
  await compareCounts(log, right.recount, options({ repair: true }))
  expect(right.asked).not.toContain('correct')
})

test('the snapshot is closed whatever happens', async () => {
  const { log } = positions([5], [5])
  const stopped = AbortSignal.abort(new Error('stopping'))
  const { recount, asked } = fakeRecount(SOME)
  await expect(compareCounts(log, recount, options({ signal: stopped }))).rejects.toThrow('stopping')
  expect(asked).toEqual(['open', 'copy', 'close'])
})
