import { expect, test } from 'vitest'
import { addressOf, readAddress } from '../../../../../../../console/src/pages/search/question/address.ts'

test('an address says everything and comes back', () => {
  const dsl = '{"query":{"must":[{"term":{"tags":"a&b=c#d%20é"}}]}}'
  const place = {
    ...readAddress(''),
    mode: 'advanced',
    index: 'history',
    dsl,
    page: 3,
    sort: 'type',
    order: 'asc',
  } as const
  expect(readAddress(addressOf(place).split('?')[1]!)).toEqual(place)
  expect(addressOf(readAddress(''))).toBe('/search')
})

test('invalid parameters get their defaults', () => {
  expect(readAddress('page=-1&limit=7&order=up&index=x&as=nothing')).toEqual(readAddress(''))
})
