import { expect, test } from 'vitest'
import { asRelationship, relationshipFault } from '../../../../../schemas/intelligence/observations/relationship.ts'

test.each(['uses', 'resolves-to', 'x', 'x-2', 'a'.repeat(100)])('%s is a relationship type', (text) => {
  expect(relationshipFault(text)).toBeNull()
  expect(asRelationship(text)).toBe(text)
})

test.each(['', 'Uses', 'resolves to', 'uses_', 'a'.repeat(101), 'verweist-über', 'uses\n', 'uses ', '\u0661'])(
  '%j is none',
  (text) => {
    expect(relationshipFault(text)).toBe(
      'must be 1 to 100 lower-case ASCII letters, digits and hyphens, such as resolves-to',
    )
  },
)

test.each([
  ['Connected To', 'connected-to'],
  ['  derived_from ', 'derived-from'],
  ['a \t_ b', 'a-b'],
  ['USES', 'uses'],
  ['', null],
  ['   ', null],
  ['verweist über', null],
  ['a/b', null],
  ['x'.repeat(101), null],
])('%j of a feed means %j', (raw, meant) => {
  expect(asRelationship(raw)).toBe(meant)
})
