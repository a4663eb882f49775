import { expect, test } from 'vitest'
import { ApiError } from '../../../../../api/http/errors.ts'
import { instant } from '../../../../../api/http/fields/instant.ts'

const BOUNDS = { from: 0, until: Date.UTC(2030, 0, 1) }

test.each([
  ['1700000000000', 1_700_000_000_000],
  ['0', 0],
  ['2024-05-01', Date.UTC(2024, 4, 1)],
  ['2024-05-01T12:30:00Z', Date.UTC(2024, 4, 1, 12, 30)],
  ['2024-05-01T12:30:00.250+02:00', Date.UTC(2024, 4, 1, 10, 30, 0, 250)],
  ['2024-05-01T12:30:00 02:00', Date.UTC(2024, 4, 1, 10, 30)],
])('%s is a moment', (text, want) => {
  expect(instant('at', text, BOUNDS)).toBe(want)
})

test.each([
  '',
  'now',
  '2024-02-30',
  '2024-05-01T12:30:00',
  '1e3',
  '-1',
  '1969-12-31',
  '2030-01-01T00:00:00.001Z',
  '99999999999999',
])('%j is refused by the name of its parameter', (text) => {
  expect(() => instant('at', text, BOUNDS)).toThrow(ApiError)
  try {
    instant('at', text, BOUNDS)
  } catch (error) {
    expect(error).toMatchObject({ status: 400, param: 'at' })
  }
})
