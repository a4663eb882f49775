import { setImmediate as letOthers } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lanes } from '../../../../../pipelines/jobs/match/lanes.ts'

test('a batch is read while the one before is written, and what is alone waits for all of it', async () => {
  const lane = lanes()
  const did: string[] = []
  const step = async (what: string): Promise<void> => {
    did.push(`${what}(`)
    await letOthers()
    await letOthers()
    did.push(`${what})`)
  }
  const batch = (n: number) =>
    lane.inTwo(async () => {
      await step(`read ${n}`)
      return () => step(`write ${n}`)
    })
  await Promise.all([batch(1), batch(2), lane.alone(() => step('alone')), batch(3)])
  expect(did.indexOf('read 2(')).toBeLessThan(did.indexOf('write 1)'))
  expect(did.indexOf('write 1)')).toBeLessThan(did.indexOf('write 2('))
  const [from, to] = [did.indexOf('alone('), did.indexOf('alone)')]
  expect(to - from).toBe(1)
  expect(did.indexOf('write 2)')).toBeLessThan(from)
  expect(did.indexOf('read 3(')).toBeGreaterThan(to)
})

test('what fails stops nothing that comes after it', async () => {
  const lane = lanes()
  const failed = (): Promise<never> => Promise.reject(new Error('away'))
  const all = await Promise.allSettled([
    lane.inTwo(failed),
    lane.inTwo(async () => failed),
    lane.alone(failed),
    lane.inTwo(async () => async () => 4),
  ])
  await lane.idle()
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
})
