import createFetchClient from 'openapi-fetch'
import createQueryClient from 'openapi-react-query'
import { problemOf } from './problem.ts'
import type { paths } from './schema.d.ts'
import { credentialHeaders, expire, isCurrent } from './session.ts'

/** The public API, typed by its own document. Rejects with a `Problem`; credentials travel in headers alone. */
export const client = createFetchClient<paths>({ baseUrl: '/', cache: 'no-store', credentials: 'omit' })

client.use({
  onRequest({ request }) {
    // Credentials that are being tried, or given up, come with their request.
    if (request.headers.has('authorization') || request.headers.has('api-key')) return request
    for (const [name, value] of Object.entries(credentialHeaders())) request.headers.set(name, value)
    return request
  },
  async onResponse({ request, response }) {
    if (response.ok) return
    if (response.status === 401 && isCurrent(request.headers)) expire()
    throw await problemOf(response)
  },
})

/** The same as hooks: `api.useQuery('get', '/api/analytics/v1/overview', { params: { query: { days: 30 } } })`. */
export const api = createQueryClient(client)
