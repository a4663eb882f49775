import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { duration, perSecond, progressTo } from '../../../../cli/commands/progress.ts'

function lines(total: number | null) {
  const output = new PassThrough()
  let time = 0
  const progress = progressTo(output, total, () => time)
  const at = (ms: number, state: { bytes: number; published: number; rejected: number }) => {
    time = ms
    progress.update(state)
    return output.read()?.toString() ?? null
  }
  return { at, progress }
}

test('without a terminal there is a line every five seconds, with share, rate and estimate', () => {
  const { at } = lines(1_000)
  expect(at(4_999, { bytes: 100, published: 10, rejected: 0 })).toBeNull()
  expect(at(5_000, { bytes: 250, published: 50_000, rejected: 7 })).toBe(
    '25 %, 50000 published, 7 rejected, 10000/s, 15 s left\n',
  )
  expect(at(9_000, { bytes: 300, published: 60_000, rejected: 7 })).toBeNull()
})

test('without a known size there is no share and no estimate', () => {
  expect(lines(null).at(5_000, { bytes: 250, published: 100, rejected: 0 })).toBe('100 published, 0 rejected, 20/s\n')
})

test('on a terminal there is a bar that shows what was published', () => {
  const output = Object.assign(new PassThrough(), {
    isTTY: true,
    cursorTo() {},
    clearLine() {},
    moveCursor() {},
    columns: 200,
  })
  let time = 0
  const progress = progressTo(output, 100, () => time)
  time = 2_000
  progress.update({ bytes: 50, published: 4_000, rejected: 1 })
  progress.stop()
  expect(output.read().toString()).toContain('50 %, 4000 published, 1 rejected, 2000/s, 2 s left')
})

const durations = [
  [Number.NaN, '?'],
  [Number.POSITIVE_INFINITY, '?'],
  [1, '1 s'],
  [59_000, '59 s'],
  [61_000, '1 min 1 s'],
  [3_900_000, '1 h 5 min'],
] as const
for (const [ms, want] of durations) test(`${ms} ms is "${want}"`, () => expect(duration(ms)).toBe(want))

test('no time has no rate', () => expect(perSecond(10, 0)).toBe(0))
