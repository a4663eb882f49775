import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KnownNames, reporterOf } from '../../../../schemas/intelligence/reporter.ts'

const ME = '01a210ba-757c-74ba-8a8a-000000000001'
const ANNA = '01a210ba-757c-74ba-8a8a-000000000002'
const ACME = '01a210ba-757c-74ba-8a8a-000000000003'
const PLATFORM = '00000000-0000-8000-8000-000000000001'
const anna = { fullName: 'Anna Berg', alias: '', email: 'anna@example.com' }
const known: KnownNames = {
  userId: ME,
  customer: { id: ACME, name: 'Acme' },
  colleagues: new Map([[ANNA, anna]]),
  platform: PLATFORM,
}
const nobody: KnownNames = { userId: null, customer: null, colleagues: new Map(), platform: PLATFORM }
const OTHER = { kind: 'other', name: 'another organisation' }

test.each([
  ['a feed by its name', ['feed:bad-list'], { kind: 'feed', name: 'bad-list' }],
  ['the caller, also where it acts for its customer', [ME, ACME], { kind: 'you', name: 'you' }],
  ['a colleague', [ANNA, ACME], { kind: 'colleague', name: 'Anna Berg', email: 'anna@example.com' }],
  ['the own customer, where a claim names no person', [ACME], { kind: 'customer', name: 'Acme' }],
  ['the own customer, for somebody who left it', [crypto.randomUUID(), ACME], { kind: 'customer', name: 'Acme' }],
  ['a scan that nobody asked for', [crypto.randomUUID(), PLATFORM], { kind: 'platform', name: 'this platform' }],
  ['anybody else', [crypto.randomUUID(), crypto.randomUUID()], OTHER],
])('%s is named', (_, ids, reporter) => {
  expect(reporterOf(ids, known)).toEqual(reporter)
})

test('who knows nobody is told of feeds and of the platform alone', () => {
  for (const ids of [[ME, ACME], [ANNA], [ACME]]) expect(reporterOf(ids, nobody)).toEqual(OTHER)
  expect(reporterOf(['feed:bad-list'], nobody).name).toBe('bad-list')
  expect(reporterOf([PLATFORM], nobody).name).toBe('this platform')
})

test('a colleague is called by alias, name or address, the first that there is', () => {
  const called = (given: Partial<typeof anna> & { email?: string | null }) =>
    reporterOf([ANNA], { ...known, colleagues: new Map([[ANNA, { ...anna, ...given }]]) })
  expect(called({ alias: 'anna' }).name).toBe('anna')
  expect(called({ fullName: '' }).name).toBe('anna@example.com')
  expect(called({ fullName: '', email: null as never })).toEqual({ kind: 'colleague', name: 'a colleague' })
})

test('no part of an id gets into a name', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.constantFrom(known, nobody), (user, source, names) => {
      expect(reporterOf([user, source], names)).toEqual(OTHER)
    }),
  )
})
