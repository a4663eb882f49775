import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moment, parsed, textOf, unusable, weight, wholeNumber } from '../../../../../cli/commands/values/values.ts'
import { UsageError } from '../../../../../cli/wiring/process/usage.ts'

const NOW = Date.UTC(2026, 4, 8)

test('a number is whole, in decimal digits and within bounds', () => {
  expect([wholeNumber(1, 4)('4'), wholeNumber(-3, 3)('-3'), Object.is(wholeNumber(-3, 3)('-0'), 0)]).toEqual([
    4,
    -3,
    true,
  ])
  for (const text of ['', '0', '5', '1.5', 'abc', '0x2', '1e0', ' 2', 'NaN'])
    expect(() => wholeNumber(1, 4)(text)).toThrow('from 1 to 4')
})

test('a weight is above 0 and at most 1', () => {
  expect(['0.7', '.5', '1', '1.0'].map(weight)).toEqual([0.7, 0.5, 1, 1])
  for (const text of ['', '.', '0', '1.1', '-1', 'high', '1e-3']) expect(() => weight(text)).toThrow('at most 1')
})

test('a moment is a day, a time with an offset, or a duration before now', () => {
  const read = moment(() => NOW)
  expect(read('2026-05-01')).toBe(Date.UTC(2026, 4, 1))
  expect(read('2026-05-01T12:30:00+02:00')).toBe(Date.UTC(2026, 4, 1, 10, 30))
  expect(read('7d')).toBe(Date.UTC(2026, 4, 1))
  for (const text of ['', 'yesterday', '12', '2026-02-30', '2026-05-01T12:30', '7w'])
    expect(() => read(text)).toThrow('Expected a day')
})

test('what a function throws is the reason that the parser gives', () => {
  const fail = parsed(() => {
    throw new Error('no amount')
  })
  expect(() => fail('x')).toThrow('no amount')
})

test('a file that cannot be read is named, as something that was typed wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-values-'))
  try {
    const missing = join(folder, 'a.json')
    await expect(textOf(missing)).rejects.toThrow(new UsageError(`${missing}: no such file or folder`))
    await expect(textOf(folder)).rejects.toThrow(`${folder}: it is a folder`)
    const refused = new Error('the server answered 404')
    expect(() => unusable('http://a')(refused)).toThrow(refused)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
