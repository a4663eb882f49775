import { expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { apiConfig, apiPorts, asAdmin, startApi } from '../../builders/api/api.ts'
import { during } from '../../builders/suite/during.ts'

const api = during(startApi)

const routes = apiRoutes(apiPorts({}), apiConfig)
const callers = { anonymous: {}, administrator: asAdmin }

test.each(
  routes.flatMap(({ method, path }) =>
    Object.entries(callers).map(([caller, headers]) => ({ method, path, caller, headers })),
  ),
)('$method $path tells caches to keep nothing of what the $caller is told', async ({ method, path, headers }) => {
  const body = method === 'post' || method === 'put' ? { body: '{}' } : {}
  const url = api.url + path.replaceAll(/\{\w+\}/g, '1')
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    headers: { 'content-type': 'application/json', ...headers },
    ...body,
  })
  // A stream has no end to wait for.
  await answer.body?.cancel()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  // What has several forms depends on the wanted one too.
  expect(answer.headers.get('vary')).toMatch(/^authorization, api-key, api-secret(, accept)?$/)
})

test('the files of the page of documents are asked for again, and may be kept', async () => {
  const answer = await fetch(`${api.url}/docs/start.js`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
})

test('an unknown path and a request that cannot be read are kept by nobody either', async () => {
  expect((await fetch(`${api.url}/nowhere`)).headers.get('cache-control')).toBe('no-store')
})
