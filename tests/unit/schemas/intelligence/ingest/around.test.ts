import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameWithoutEnd, nearForms, parentsOf, subjectOf } from '../../../../../schemas/intelligence/ingest/around.ts'

test.each([
  ['203.0.113[.]7', { type: 'ip', value: '203.0.113.7' }],
  ['203.0.113.9/24', { type: 'cidr', value: '203.0.113.0/24' }],
  ['A.Example.COM', { type: 'hostname', value: 'a.example.com' }],
  ['two words', null],
  // A type that refuses the value has no normal form of it.
  ['10.0.0.1', null],
])('%s is read as %j', (text, subject) => {
  expect(subjectOf(text)).toEqual(subject)
})

test('the names above a name end with its registrable domain, and nothing is above that', () => {
  expect(parentsOf('a.b.example.co.uk')).toEqual([
    { type: 'hostname', value: 'b.example.co.uk' },
    { type: 'domain', value: 'example.co.uk' },
  ])
  expect(parentsOf('a.example.com')).toEqual([{ type: 'domain', value: 'example.com' }])
  for (const name of ['example.com', 'com', 'co.uk']) expect(parentsOf(name)).toEqual([])
  const deep = parentsOf(`${'x.'.repeat(60)}example.com`)
  expect([deep.length, deep.at(-1)]).toEqual([8, { type: 'domain', value: 'example.com' }])
})

test.each([
  ['203,0,113,7', '203.0.113.7'],
  ['203.0.113. 7', '203.0.113.7'],
  ['2O3.O.113.7', '203.0.113.7'],
  ['203.0..113.7', '203.0.113.7'],
  ['evil,example.com!', 'evil.example.com'],
  ['evil dot example dot com', 'evil.example.com'],
  ['http//evil.example.com/a', 'http://evil.example.com/a'],
  ['"evil.example.com".', 'evil.example.com'],
])('%s is nearly %s', (text, value) => {
  expect(nearForms(text).map((near) => near.value)).toContain(value)
})

test('what has a form is near nothing else, and nothing far away is suggested', () => {
  for (const text of ['203.0.113.7', 'example.com', '', '   ', 'phishing', 'x'.repeat(300)])
    expect(nearForms(text)).toEqual([])
})

test('suggestions of any text are few and of a known form, each once', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      const near = nearForms(text)
      expect(near.length).toBeLessThanOrEqual(5)
      expect(new Set(near.map(({ type, value }) => `${type} ${value}`)).size).toBe(near.length)
      for (const { value } of near) expect(subjectOf(value)?.value).toBe(value)
    }),
  )
})

test('a name without its end is one label', () => {
  expect(nameWithoutEnd(' Example ')).toBe('example')
  for (const text of ['example.com', 'two words', '-a-', 'ab', 'x'.repeat(64), 'ex%mple'])
    expect(nameWithoutEnd(text)).toBeNull()
})
