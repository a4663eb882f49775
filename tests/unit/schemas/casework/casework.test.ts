import { expect, test } from 'vitest'
import { MAX_QUERY_BYTES, queryFault } from '../../../../schemas/casework/casework.ts'

test('a query is kept up to 64 KiB of JSON', () => {
  const around = Buffer.byteLength(JSON.stringify({ a: '' }))
  expect(queryFault({ a: 'x'.repeat(MAX_QUERY_BYTES - around) })).toBeNull()
  expect(queryFault({ a: 'x'.repeat(MAX_QUERY_BYTES - around + 1) })).toBe('is longer than 65536 bytes')
  expect(queryFault({ a: '€'.repeat(MAX_QUERY_BYTES / 2) })).toBe('is longer than 65536 bytes')
})

const queries: [string, object, string | null][] = [
  ['a NUL in a value', { a: ['\u0000'] }, 'contains a NUL character'],
  ['a NUL in a name', { 'a\u0000': 1 }, 'contains a NUL character'],
  ['a NUL after a backslash', { a: '\\\u0000' }, 'contains a NUL character'],
  ['text that reads like an escaped NUL', { a: '\\u0000' }, null],
  ['the same after another backslash', { a: '\\\\u0000' }, null],
  ['nothing', {}, null],
]
for (const [name, query, want] of queries)
  test(`a query with ${name} is ${want === null ? 'kept' : 'refused'}`, () =>
    expect(queryFault({ ...query })).toBe(want))
