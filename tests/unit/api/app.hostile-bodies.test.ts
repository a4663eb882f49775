/** Whatever a body is filled with: what is looked through for the message of its refusal is small, on every route. */

import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { MAX_BODY_BYTES, parseJson } from '../../../api/http/bodies/body.ts'
import { bodyCheck, shrinkToFault } from '../../../api/http/validation.ts'
import { apiConfig, apiPorts } from '../../builders/api/api.ts'
import { hostileBodies } from '../../builders/api/bodies/hostile.ts'

/** The library looks at a value in some microseconds. */
const MOST_VALUES = 5_000
/** As large a body as keeps this test short; what is looked through does not grow with it. */
const BYTES = 48 * 1024

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1)
}

const routes = apiRoutes(apiPorts({}), apiConfig).filter(({ body }) => body !== null)

/** The cut of a list to one item would else be what it is refused for. */
test('no list of a body has to have more than one item', () => {
  for (const { method, path, body } of routes)
    for (const [, least] of JSON.stringify(body).matchAll(/"minItems":(\d+)/g))
      expect(Number(least), `${method} ${path}`).toBeLessThanOrEqual(1)
})

test('there are routes with bodies', () => expect(routes.length).toBeGreaterThan(50))

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_, { body, bodyBytes }) => {
    test('finds the fault of a hostile body in a small part of it', () => {
      expect(bodyBytes ?? MAX_BODY_BYTES).toBeGreaterThan(BYTES)
      const validator = Compile(body!)
      const check = bodyCheck(body!)
      for (const { name, text } of hostileBodies(body!, BYTES)) {
        let value: unknown
        try {
          value = parseJson(Buffer.from(text))
        } catch (refused) {
          expect(refused, name).toMatchObject({ status: 400, message: expect.stringMatching(/than [\d,]+/) })
          continue
        }
        if (validator.Check(value)) continue
        let checks = 0
        const { value: left, tooLong } = shrinkToFault(structuredClone(value), (cut) => {
          checks++
          return validator.Check(cut)
        })
        expect(checks, name).toBeLessThan(500)
        if (tooLong === null) {
          expect(validator.Check(left), name).toBe(false)
          expect(valuesOf(left), name).toBeLessThan(MOST_VALUES)
        }
        expect(() => check(value), name).toThrow(expect.objectContaining({ status: 400 }))
      }
    })
  },
)
