import { expect, test } from 'vitest'
import { createOutput } from '../../../../../edge/protocols/bytes/output.ts'

const json = (text: string) => ({ text, bytes: Buffer.byteLength(text) })

test('what was written comes out once, joined', () => {
  const output = createOutput()
  output.text('+OK\r\n')
  output.text(`-${'x'.repeat(100)}\r\n`)
  output.json('$9\r\n', json('"bücher"'), '\r\n')
  output.json('$4\r\n', json('"€"'), '\r\n')
  output.json('$3\r\n', json('"a"'), '\r\n')
  output.copy(Buffer.from([1, 0xff, 2]), 1, 2)
  const wanted = `+OK\r\n-${'x'.repeat(100)}\r\n$9\r\n"bücher"\r\n$4\r\n"€"\r\n$3\r\n"a"\r\n`
  expect(output.take()).toEqual(Buffer.concat([Buffer.from(wanted), Buffer.from([0xff])]))
  expect(output.take()).toHaveLength(0)
})

test('a round of any length fits, and what was taken is not written again', () => {
  const output = createOutput()
  const part = 'x'.repeat(1_000)
  for (let i = 0; i < 5_000; i++) output.json(`${i} `, json(part), '\n')
  const taken = output.take()
  const wanted = Array.from({ length: 5_000 }, (_, i) => `${i} ${part}\n`).join('')
  output.text('y'.repeat(3_000))
  expect(taken.toString() === wanted).toBe(true)
  expect(output.take().toString()).toBe('y'.repeat(3_000))
})

test('what was not taken is forgotten when a round begins', () => {
  const output = createOutput()
  output.text('of a round that failed')
  output.begin()
  output.text('+OK\r\n')
  expect(output.take().toString()).toBe('+OK\r\n')
})
