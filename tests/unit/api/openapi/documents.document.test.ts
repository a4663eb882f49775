import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { apiRoutes } from '../../../../api/app.ts'
import { errors } from '../../../../api/http/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../../api/http/fields/json.ts'
import { openApi } from '../../../../api/openapi/documents.ts'
import { sample } from '../../../../api/openapi/operation.ts'
import { apiConfig, apiPorts } from '../../../builders/api/ports.ts'

/** A route that lacks its part of the document fails here under its name: see docs/contribute/add-a-route.md. */
const routes = apiRoutes(apiPorts(), apiConfig)
const document = openApi(routes, '0.0.0')
const { schemas, responses } = document.components as { schemas: JsonObject; responses: JsonObject }

// biome-ignore lint/suspicious/noExplicitAny: a document is what the test looks into
const operationOf = ({ method, path }: { method: string; path: string }): any =>
  ((document.paths as JsonObject)[path] as JsonObject)[method]

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: 'document', components: { schemas } })
const faultsOf = (schema: Json, value: Json): string => {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
  const check = ajv.compile(rooted)
  return check(value) ? '' : ajv.errorsText(check.errors)
}

test('no two operations have the same name', () => {
  const ids = routes.map((route) => operationOf(route).operationId as string)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

for (const route of routes) {
  const name = `${route.method} ${route.path}`
  const { words, body: bodyExample, answers: answerExamples } = route.examples
  describe(`${name} in the API document`, () => {
    test('has a name for generated clients', () => {
      expect(route.id).toMatch(/^[a-z][A-Za-z]+$/)
      expect(operationOf(route).operationId).toBe(route.id)
    })

    test('has a summary that is a sentence', () => {
      expect(route.summary).toMatch(/^[A-Z].*\.$/)
    })

    test('has examples that fit, of words that api/openapi/example-words.ts or the route has', () => {
      const { parameters, requestBody, responses: answers } = operationOf(route)
      const faults: string[] = []
      const look = (what: string, schema: JsonObject, example: Json | undefined, given: boolean, of?: string) => {
        if (example === undefined) faults.push(`${what} has no example`)
        else if (faultsOf(schema, example) !== '') faults.push(`${what}: ${faultsOf(schema, example)}`)
        const missing = given ? [] : sample(schema, schemas as Record<string, JsonObject>, words, of).missing
        if (missing.length > 0) faults.push(`${what}: no word for ${missing.join(', ')}`)
      }
      for (const { name: of, in: place, schema, example } of parameters)
        if (place !== 'header') look(of, schema, example, false, of)
      const body = requestBody?.content['application/json']
      if (body !== undefined) look('body', body.schema, body.example, bodyExample !== undefined)
      for (const status of Object.keys(route.responses)) {
        const answer = answers[status].content?.['application/json']
        if (answer?.schema !== undefined && answer.schema.type !== 'string')
          look(status, answer.schema, answer.example, answerExamples?.[Number(status)] !== undefined)
      }
      expect(faults).toEqual([])
    })

    test('lists its errors by status, each with its codes', () => {
      const refused = Object.entries(operationOf(route).responses as JsonObject).filter(([status]) => status >= '400')
      expect(refused.map(([status]) => status)).toEqual(expect.arrayContaining(['400', '500']))
      expect(Object.keys(operationOf(route).responses)[0]).toMatch(/^(101|2\d\d|303)$/)
      for (const [status, answer] of refused) {
        const { content } = responses[((answer as JsonObject).$ref as string).split('/').at(-1)!] as JsonObject
        const { examples } = (content as JsonObject)['application/json'] as JsonObject
        for (const code of Object.keys(examples as JsonObject))
          expect([code, String(errors[code as keyof typeof errors].status)]).toEqual([code, status])
      }
    })
  })
}

test('the document has one table of every code and what it means', () => {
  const { description } = schemas.ErrorAnswer as { description: string }
  for (const [code, { status }] of Object.entries(errors)) expect(description).toContain(`| ${status} | \`${code}\` | `)
})

test('schemas have only forms that generators of clients know', () => {
  const faults: string[] = []
  const look = (node: Json, at: string): void => {
    if (Array.isArray(node)) for (const [i, part] of node.entries()) look(part, `${at}/${i}`)
    if (!isObject(node)) return
    if ('patternProperties' in node) faults.push(`${at}: patternProperties`)
    const { enum: values, anyOf } = node
    if (Array.isArray(values) && new Set(values.filter((v) => v !== null).map((v) => typeof v)).size > 1)
      faults.push(`${at}: an enum of several types`)
    if (Array.isArray(values) && node.type === undefined) faults.push(`${at}: an enum without a type`)
    if (Array.isArray(anyOf) && anyOf.some((branch) => (branch as JsonObject).type === 'null'))
      faults.push(`${at}: a branch that is null`)
    for (const [key, value] of Object.entries(node)) if (!key.startsWith('example')) look(value, `${at}/${key}`)
  }
  look(document.paths!, 'paths')
  look(schemas, 'schemas')
  expect(faults).toEqual([])
})
