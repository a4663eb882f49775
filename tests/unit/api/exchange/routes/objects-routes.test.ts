import { expect, test } from 'vitest'
import { objectRoutes } from '../../../../../api/exchange/routes/objects-routes.ts'
import type { CollectionService } from '../../../../../api/exchange/services/collections-service.ts'

/** What an object of a collection is answered with, when its page has nothing. */
async function answered(next: string | null) {
  const service = {
    feed: async () => 'c',
    page: async () => ({ objects: [], next, [Symbol.dispose]: () => undefined }),
  }
  const routes = objectRoutes(service as unknown as CollectionService, {} as never)
  const { handler } = routes.find(({ method, path }) => method === 'get' && path.endsWith('objects/{objectId}/'))!
  const request = {
    user: null,
    params: { id: 'c', objectId: 'indicator--00000000-0000-4000-8000-000000000001' },
    query: { limit: 10 },
    header: () => undefined,
  }
  return handler(request as never)
}

test('an empty page of an object is the end only without a next one', async () => {
  expect(await answered('more')).toMatchObject({ status: 200 })
  await expect(answered(null)).rejects.toMatchObject({ code: 'not_found' })
})
