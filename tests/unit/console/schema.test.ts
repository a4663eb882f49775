import openapiTS from 'openapi-typescript'
import { expect, test } from 'vitest'
import { startApi } from '../../builders/api.ts'

/** `npm run console:types` writes the file anew. */
test('the types of the console are those of the API document', async () => {
  const api = await startApi()
  try {
    const text = await (await fetch(`${api.url}/openapi.json`)).text()
    const document = JSON.parse(text, mapped) as Parameters<typeof openapiTS>[0]
    await expect(await openapiTS(document)).toMatchFileSnapshot('../../../console/src/api/schema.d.ts')
  } finally {
    await api.close()
  }
})

/** Maps by names of one pattern, which the generator does not know, as maps by any name. */
function mapped(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('patternProperties' in value)) return value
  const { patternProperties, ...rest } = value
  return { ...rest, additionalProperties: Object.values(patternProperties as object)[0] }
}
