import openapiTS from 'openapi-typescript'
import { expect, test } from 'vitest'
import { startApi } from '../../../../builders/api/api.ts'

/** `npm run console:types` writes the file anew. */
test('the types of the console are those of the API document', async () => {
  const api = await startApi()
  try {
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Parameters<typeof openapiTS>[0]
    await expect(await openapiTS(document)).toMatchFileSnapshot('../../../../../console/src/api/schema.d.ts')
  } finally {
    await api.close()
  }
})
