import { expect, test } from 'vitest'
import { readZone } from '../../../../../edge/protocols/dns/zone.ts'

test.each([
  ['bl.test', 'bl.test'],
  ['Bl.TEST.', 'bl.test'],
  ['bl', 'bl'],
  ['_bl.xn--e1aybc.example', '_bl.xn--e1aybc.example'],
  ['7.bl.test', '7.bl.test'],
  [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(22)}`, `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(22)}`],
])('%s is a zone', (typed, zone) => {
  expect(readZone(typed)).toBe(zone)
})

test.each([
  ['', 'must have a name'],
  ['.', 'must have a name'],
  ['bl..test', 'empty label'],
  ['.bl.test', 'empty label'],
  ['bl.test..', 'empty label'],
  [`${'a'.repeat(64)}.test`, 'at most 63'],
  [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(23)}`, 'at most 150'],
  ['блок.test', 'xn-- form'],
  ['-bl.test', 'hyphen'],
  ['bl-.test', 'hyphen'],
  ['b l.test', 'letters, digits'],
  ['bl.test/x', 'letters, digits'],
  ['bl.te\\.st', 'letters, digits'],
  ['a@bl.test', 'letters, digits'],
])('%j is no zone: %s', (typed, why) => {
  expect(() => readZone(typed)).toThrow(why)
  expect(() => readZone(typed)).toThrow(JSON.stringify(typed))
})
