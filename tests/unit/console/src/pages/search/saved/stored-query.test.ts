import { expect, test } from 'vitest'
import { readAddress } from '../../../../../../../console/src/pages/search/question/address.ts'
import { addressOfStored, storedQuery } from '../../../../../../../console/src/pages/search/saved/stored-query.ts'

const usual = readAddress('')
const quick = { ...usual, mode: 'quick' as const, q: 'evil.example "é"', sort: 'type', order: 'asc' as const }
const advanced = { ...usual, mode: 'advanced' as const, index: 'history' as const, dsl: '{"query":{"must":[]}}' }

test('what is kept of a place is a text, and opens that place again', () => {
  for (const place of [quick, advanced]) {
    const kept = storedQuery({ ...place, page: 3 })
    expect(kept).toBeTypeOf('string')
    expect(addressOfStored(kept!)).toEqual(place)
  }
  expect(storedQuery({ ...usual, mode: 'quick', q: '  ' })).toBeNull()
})

test('what older pages and other programs kept opens too', () => {
  expect(addressOfStored({ mode: 'quick', q: 'a', index: 'history' })).toMatchObject({
    mode: 'quick',
    q: 'a',
    index: 'history',
  })
  const body = { query: { must: [] } }
  for (const kept of [body, JSON.stringify(body)])
    expect(addressOfStored(kept)).toEqual({ ...usual, mode: 'advanced', dsl: JSON.stringify(body) })
})

test('a text of another program is what would be typed', () => {
  for (const text of ['203.0.113.7', 'tags:apt AND "x"', '7', '[1]', 'null', '{"half'])
    expect(addressOfStored(text)).toEqual({ ...usual, mode: 'quick', q: text })
  expect(addressOfStored(' ')).toBeNull()
})
