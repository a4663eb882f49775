import { expect, test } from 'vitest'
import { namesOneSlipAway } from '../../../../../schemas/intelligence/ingest/near-names.ts'

test.each([
  ['a letter too many', 'exaample.com'],
  ['a letter too few', 'exmple.com'],
  ['a letter too few at the end', 'exampl.com'],
  ['another letter', 'examp1e.com'],
  ['two that changed places', 'exmaple.com'],
  ['a hyphen too many', 'exam-ple.com'],
])('%s: %s is one slip from example.com, and back', (_, slip) => {
  expect(namesOneSlipAway(slip)).toContain('example.com')
  expect(namesOneSlipAway('example.com')).toContain(slip)
})

test('the end stays, and a name is not its own neighbour', () => {
  const near = namesOneSlipAway('example.co.uk')
  expect(near.every((name) => /^[a-z0-9-]+\.co\.uk$/.test(name))).toBe(true)
  expect(near).not.toContain('example.co.uk')
  expect(new Set(near).size).toBe(near.length)
})

test('only names that can be registered: no hyphen at an end, no empty label', () => {
  const near = namesOneSlipAway('a.com')
  expect(near).toContain('ab.com')
  expect(near.filter((name) => /^[-.]|-\./.test(name))).toEqual([])
})

test('the number is bounded: the longest label has under 1,900 neighbours, longer and encoded ones have none', () => {
  expect(namesOneSlipAway(`${'a'.repeat(24)}.com`).length).toBeLessThan(1_900)
  expect(namesOneSlipAway('abcdefghijklmnopqrstuvwx.com').length).toBeLessThan(1_900)
  expect(namesOneSlipAway(`${'a'.repeat(25)}.com`)).toEqual([])
  expect(namesOneSlipAway('xn--bcher-kva.com')).toEqual([])
  expect(namesOneSlipAway('com')).toEqual([])
})
