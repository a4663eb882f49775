import { expect, test } from 'vitest'
import { ApiError } from '../../../../../api/http/errors.ts'
import { ownGroups } from '../../../../../api/http/fields/own-groups.ts'

test('groups of a reader are those that are given, sorted and once each, or all of the caller', () => {
  expect(ownGroups(['red', 'public', 'blue'])).toEqual(['blue', 'public', 'red'])
  expect(ownGroups(['red', 'public', 'blue'], ['red', 'blue', 'red'])).toEqual(['blue', 'red'])
})

test('a group that is not one of the caller is refused by its place', () => {
  const refused = (() => {
    try {
      return ownGroups(['public', 'red'], ['public', 'blue'])
    } catch (error) {
      return error
    }
  })()
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ code: 'forbidden', param: 'groups[1]' })
})
