import { expect, test } from 'vitest'
import { type Compared, compared, measuredRatios, recordedRatios } from '../../bench/write/cost/ratios.ts'
import { note } from '../../runner/notes.ts'

/** Machines and their other work make a tenth: what is more is said, and half as much again is a fault. */
const SAID = 1.15
const REFUSED = 1.5
/**
 * Paid by the second or by the batch, as a commit of the log is: more for each where a busy machine takes fewer. So many times
 * the recorded ratio they were at the most (load 15 on two processors, beside all other stages).
 */
const BUSY: Record<string, number> = {
  'report in the API alone / echo': 1.7,
  'report in the API / echo': 1.7,
  'report behind it / echo': 4.6,
}

test('an observation, a report and a look-up cost what they did, beside a decode, an insert and an echo', async () => {
  const measured = async () => compared(await measuredRatios(), recordedRatios())
  const refused = (all: readonly Compared[]) => all.filter(({ of, more }) => more > REFUSED * (BUSY[of] ?? 1))
  let all = await measured()
  if (refused(all).length > 0) {
    // Other work only adds: what is dearer twice is dearer.
    const again = await measured()
    all = all.map((one) => [one, ...again.filter(({ of }) => of === one.of)].sort((a, b) => a.more - b.more)[0]!)
  }
  for (const { of, ratio, recorded, more } of all.filter((one) => one.more > SAID))
    note(`cost: ${of} is ${ratio.toFixed(2)}, ${more.toFixed(2)} times the recorded ${recorded}`)
  expect(refused(all)).toEqual([])
}, 480_000)
