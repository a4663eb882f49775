import { expect, test } from 'vitest'
import { saysCovered } from '../../../../../../pipelines/processors/intelligence/marks/says-covered.ts'
import { observation } from '../../../../../builders/intelligence/observation.ts'

test('a record says that it lies under a mark, and of others nothing is changed', () => {
  const encode = saysCovered(
    ({ value, covered }) => Buffer.from(`${value} ${covered}`),
    ({ type, value }) => type === 'ip' && value.startsWith('8.8.8.'),
  )
  const given = observation({ value: '8.8.8.8' })
  expect(encode(given).toString()).toBe('8.8.8.8 true')
  expect(encode(observation({ value: '8.8.4.4' })).toString()).toBe('8.8.4.4 false')
  expect(given.covered).toBe(false)
})
