import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError, asApiError, errorBody, type errors, headerSafe, invalid } from '../../../../api/http/errors.ts'

test('from 500 on, the message of the table is all that is told', () => {
  const error = new ApiError('internal', { message: 'password of db is x' }, { cause: new Error('db is down') })
  expect(error.message).toBe('internal error')
  expect(JSON.stringify(errorBody(error, 'id'))).toBe(
    '{"error":{"message":"internal error","type":"ERROR","code":"internal","error_id":"id"}}',
  )
})

test('below 500, the message and the parameter are told', () => {
  expect(errorBody(invalid('days', 'must be <= 365'), 'id')).toEqual({
    error: {
      message: 'days: must be <= 365',
      type: 'WARNING',
      code: 'invalid_parameter',
      error_id: 'id',
      param: 'days',
    },
  })
})

const thrown: { name: string; given: unknown; code: keyof typeof errors }[] = [
  { name: 'an error of the table', given: new ApiError('conflict'), code: 'conflict' },
  {
    name: 'a refusal of the framework',
    given: Object.assign(new Error('x'), { status: 400 }),
    code: 'malformed_request',
  },
  { name: 'an unknown path', given: Object.assign(new Error('x'), { status: 404 }), code: 'not_found' },
  {
    name: 'a method that is not there',
    given: Object.assign(new Error('x'), { status: 405 }),
    code: 'method_not_allowed',
  },
  { name: 'a failure that calls itself 503', given: Object.assign(new Error('x'), { status: 503 }), code: 'internal' },
  { name: 'a programming error', given: new TypeError('x is undefined'), code: 'internal' },
  { name: 'a string', given: 'oops', code: 'internal' },
  { name: 'nothing', given: undefined, code: 'internal' },
  { name: 'null', given: null, code: 'internal' },
]
for (const { name, given, code } of thrown) {
  test(`${name} is answered as ${code}`, () => expect(asApiError(given).code).toBe(code))
}

test('any text makes a header that Node sends, on one line and of bounded length', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ size: 'large' })), (text) => {
      const safe = headerSafe(text)
      expect(() => validateHeaderValue('x-error', safe)).not.toThrow()
      expect(safe).not.toMatch(/[\r\n]/)
      expect(safe.length).toBeLessThanOrEqual(503)
    }),
  )
  expect(headerSafe('a\r\nset-cookie: é💥\ud800')).toBe('a??set-cookie: ???')
})
