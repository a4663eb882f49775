import { expect, test } from 'vitest'
import { isOwnersReader, isPublicAlone, ownerOf } from '../../../../schemas/feeds-out/rights.ts'

const caller = (customerId: string | null, groups: string[]) => ({ userId: 'u', customerId, groups })

test('a feed is of the customer of its maker, or of the maker without one', () => {
  expect(ownerOf({ userId: 'u', customerId: 'c' })).toEqual({ kind: 'customer', id: 'c' })
  expect(ownerOf({ userId: 'u', customerId: null })).toEqual({ kind: 'user', id: 'u' })
})

test('the reader of a feed belongs to its owner and is in all of its groups', () => {
  const customer = { owner: { kind: 'customer', id: 'c' }, groups: ['a', 'b'] } as const
  expect(isOwnersReader(customer, caller('c', ['a', 'b', 'x']))).toBe(true)
  expect(isOwnersReader(customer, caller('c', ['a', 'x']))).toBe(false)
  expect(isOwnersReader(customer, caller('d', ['a', 'b']))).toBe(false)
  expect(isOwnersReader(customer, caller(null, ['a', 'b']))).toBe(false)
  const user = { owner: { kind: 'user', id: 'u' }, groups: ['a'] } as const
  expect(isOwnersReader(user, caller('c', ['a']))).toBe(true)
  // The id of a user is no id of a customer.
  expect(isOwnersReader({ ...user, owner: { kind: 'customer', id: 'u' } }, caller(null, ['a']))).toBe(false)
  expect(isOwnersReader({ ...user, owner: { kind: 'user', id: 'c' } }, caller('c', ['a']))).toBe(false)
})

test('public beside other groups is not public alone', () => {
  expect([['public'], ['a'], ['a', 'public']].map(isPublicAlone)).toEqual([true, false, false])
})
