import { expect, test } from 'vitest'
import { apiRoutes } from '../../../../api/app.ts'
import { errors } from '../../../../api/http/errors.ts'
import { openApi } from '../../../../api/openapi/documents.ts'
import { apiConfig, apiPorts } from '../../../builders/api/ports.ts'
import { faultsOfText } from '../../../builders/infra/faults-of-text.ts'

const document = openApi(apiRoutes(apiPorts(), apiConfig), '0.0.0')

/** Every summary and description of the document, each once. */
function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) textsIn(one, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) {
      if ((name === 'summary' || name === 'description') && typeof one === 'string') found.add(one)
      else textsIn(one, found)
    }
  return found
}

test('texts of the API document are read once', () => {
  const texts = [...textsIn(document)].filter((text) => !text.includes('| Status |'))
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.flatMap(faultsOfText)).toEqual([])
})

test('messages of errors are read once', () => {
  expect(Object.values(errors).flatMap(({ message }) => faultsOfText(message))).toEqual([])
})

test.each([
  ['please retry', '"please"'],
  ['1 item(s) found', 'a plural in brackets'],
  ['an e-mail address', '"e-mail"'],
  ['Whoever sends it reads it.', '"Whoever"'],
  ['a cursor that is read anew', '"anew"'],
  [`It is ${'very '.repeat(60)}long.`, 'a sentence of 63 words'],
])('%j has a fault', (text, fault) => {
  expect(faultsOfText(text)).toEqual([`${fault}: ${text}`])
})
