import { expect, test } from 'vitest'
import { createLines } from '../../../../../edge/protocols/memcached/lines.ts'

/** More than the parts of a buffer's pool, which are shared. */
const SMALL = 8_192

test('data is not kept while it comes', () => {
  const lines = createLines()
  lines.push(Buffer.from('set k 0 0 3000000\r\n'))
  expect(lines.next()).toBe('line')
  lines.expect(3_000_000)
  for (let left = 3_000_000; left > 0; left -= 60_000) {
    lines.push(Buffer.alloc(60_000, 'x'))
    expect(lines.next()).toBe('wait')
    lines.settle(false)
    expect(lines.held()).toBe(0)
  }
  lines.push(Buffer.from('\r\nversion\r\nget'))
  expect([lines.next(), lines.next(), lines.next()]).toEqual(['data', 'line', 'wait'])
})

test('of a long piece only the line that is not whole is kept', () => {
  const lines = createLines()
  lines.push(Buffer.from(`${'get x\r\n'.repeat(20_000)}get y`))
  let count = 0
  while (lines.next() === 'line') count++
  lines.settle(false)
  expect([count, lines.held() <= SMALL]).toEqual([20_000, true])
  lines.push(Buffer.from('\r\n'))
  expect(lines.next()).toBe('line')
  expect(lines.line.bytes.toString('latin1', lines.line.start, lines.line.end)).toBe('get y')
})

test('a line that still grows is kept once, and is let go of when it came', () => {
  const lines = createLines()
  const piece = Buffer.from('x'.repeat(99)).fill(32, 98)
  lines.push(Buffer.from('get '))
  for (let i = 0; i < 5_000; i++) {
    lines.push(Buffer.from(piece))
    expect(lines.next()).toBe('wait')
    lines.settle(false)
    expect(lines.held()).toBeLessThan(Math.max(SMALL, 4 * 99 * (i + 2)) + 1)
  }
  lines.push(Buffer.from('\r\n'))
  expect(lines.next()).toBe('line')
  lines.settle(false)
  expect([lines.held(), lines.line.bytes.length]).toEqual([0, 0])
})
