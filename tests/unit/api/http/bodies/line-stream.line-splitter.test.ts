import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSplitter } from '../../../../../api/http/bodies/line-stream.ts'

const MAX = 64 * 1024

/** Lines of all lengths, also around the longest that is kept. */
const lines = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', '')) },
    { weight: 1, arbitrary: fc.integer({ min: MAX - 2, max: MAX + 3 }).map((length) => 'x'.repeat(length)) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\r', 'é'.repeat(3), 'x'.repeat(3 * MAX)) },
  ),
  { maxLength: 12 },
)
const cuts = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 20 })

test('wherever a body is cut, its whole lines come out in order, and of one that is too long its beginning', () => {
  fc.assert(
    fc.property(lines, cuts, fc.boolean(), fc.integer({ min: 1, max: 100_000 }), (given, sizes, ended, most) => {
      const body = Buffer.from(given.join('\n') + (ended && given.length > 0 ? '\n' : ''))
      const splitter = lineSplitter(MAX)
      const got: Buffer[] = []
      const take = () => {
        while (splitter.whole() > 0) {
          const bytes = splitter.take(most)
          expect(bytes.length).toBeGreaterThan(0)
          const one = bytes.indexOf(10) < 0 || bytes.indexOf(10) === bytes.length - 1
          if (!one) expect(bytes.length).toBeLessThanOrEqual(most)
          got.push(bytes)
        }
      }
      for (let at = 0, turn = 0; at < body.length; turn++) {
        const size = sizes[turn % sizes.length]!
        splitter.push(body.subarray(at, at + size))
        at += size
        expect(splitter.open()).toBeLessThanOrEqual(MAX + 1)
        if (turn % 3 === 0) take()
      }
      splitter.finish()
      take()
      const wanted = body.toString().split('\n')
      const kept = wanted.map((line) =>
        Buffer.from(line)
          .subarray(0, MAX + 1)
          .toString(),
      )
      expect(Buffer.concat(got).toString()).toBe(kept.join('\n'))
    }),
    { numRuns: 200 },
  )
})

test('a line that never ends takes no more memory than the longest one', () => {
  const splitter = lineSplitter(MAX)
  for (let i = 0; i < 1_000; i++) splitter.push(Buffer.alloc(10_000, 'x'))
  expect([splitter.whole(), splitter.open()]).toEqual([0, MAX + 1])
  splitter.push(Buffer.from('x\nnext\n'))
  expect(splitter.take(1).length).toBe(MAX + 2)
  expect(splitter.take(1).toString()).toBe('next\n')
})

test('lines that come byte by byte take little more memory than their bytes', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = (): number => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 2 ** 20
  }
  const before = heap()
  const splitters = Array.from({ length: 16 }, () => {
    const splitter = lineSplitter(MAX)
    for (let at = 0; at < MAX; at++) splitter.push(Buffer.from('x'))
    return splitter
  })
  const grown = heap() - before
  expect(splitters.map((splitter) => splitter.open())).toEqual(splitters.map(() => MAX))
  // A piece for each byte would be more than 90 MiB.
  expect(grown).toBeLessThan(16)
})
