import { expect, test } from 'vitest'
import { compared, measuredRatios, recordedRatios } from '../../bench/write/cost/ratios.ts'
import { note } from '../../runner/notes.ts'

/** Machines and their other work make a tenth: what is more is said, and half as much again is a fault. */
const SAID = 1.15
const REFUSED = 1.5
/** What is paid by the second or by the batch is more for each where a busy machine takes fewer reports: it is only said. */
const BY_RATE = ['report in the API / echo', 'report behind it / echo']

test('an observation, a report and a look-up cost what they did, beside a decode, an insert and an echo', async () => {
  const all = compared(await measuredRatios(), recordedRatios())
  for (const { of, ratio, recorded, more } of all.filter((one) => one.more > SAID))
    note(`cost: ${of} is ${ratio.toFixed(2)}, ${more.toFixed(2)} times the recorded ${recorded}`)
  expect(all.filter(({ of, more }) => !BY_RATE.includes(of) && more > REFUSED)).toEqual([])
}, 240_000)
