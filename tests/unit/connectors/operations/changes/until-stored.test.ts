import { expect, test } from 'vitest'
import { untilStored } from '../../../../../connectors/operations/changes/until-stored.ts'

const placed = (partition: number, offset: number) => ({ partition, offset })

/** A group that has committed so far, by partition; each look counts. */
function group(committed: number[]) {
  let looks = 0
  const ready = Promise.withResolvers<void>()
  const wait = untilStored({
    log: {
      async committed() {
        looks++
        if (looks === 3) ready.resolve()
        return committed.map((offset, partition) => ({ partition, offset }))
      },
    },
    pause: async () => new Promise(setImmediate),
  })
  return { wait, looks: () => looks, third: ready.promise }
}

const never = new AbortController().signal

test('observations wait until the group has committed their observations', async () => {
  const committed = [5, 1]
  const { wait, third } = group(committed)
  let done = false
  const waiting = wait([placed(0, 4), placed(1, 1)], never).then(() => {
    done = true
  })
  await third
  expect(done).toBe(false)
  committed[1] = 2
  await waiting
})

test('what is known to be stored asks nobody, and those who wait together ask once', async () => {
  const { wait, looks } = group([10, 10])
  await wait([placed(0, 4)], never)
  expect(looks()).toBe(1)
  await Promise.all([wait([placed(0, 9)], never), wait([placed(1, 3)], never), wait([], never)])
  expect(looks()).toBe(1)
  const late = group([0])
  const stop = new AbortController()
  const both = Promise.all([late.wait([placed(0, 0)], stop.signal), late.wait([placed(0, 1)], stop.signal)])
  await late.third
  stop.abort(new Error('the end'))
  await expect(both).rejects.toThrow('the end')
})

test('a group that has committed nothing has stored nothing', async () => {
  const stop = new AbortController()
  const { wait, third } = group([])
  const waiting = wait([placed(0, 0)], stop.signal)
  await third
  stop.abort(new Error('the end'))
  await expect(waiting).rejects.toThrow('the end')
})
