import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { Type } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { openStreams } from '../../../../api/http/answers/streams.ts'
import { newBodies } from '../../../../api/http/bodies/read-body.ts'
import { errorFunnel } from '../../../../api/http/middleware/errors.ts'
import { mount } from '../../../../api/http/mount.ts'
import { paramPaths } from '../../../../api/http/param-paths.ts'
import { type Route, reply, route } from '../../../../api/http/route.ts'
import { notAudited } from '../../../../schemas/audit/action.ts'
import { apiPorts } from '../../../builders/api/api.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function serve(...routes: Route[]): Promise<string> {
  const { logger, newId, metrics } = apiPorts()
  const router = mount(routes, {
    identify: async () => null,
    trustedProxies: 1,
    enforce: async () => null,
    bodies: newBodies(),
    trail: null,
    streams: openStreams({ logger, metrics: metrics.instruments }),
  })
  const server = createServer(new Koa().use(errorFunnel(logger, newId)).use(router.routes()).callback())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const named = (path: string, name: string) =>
  route({
    method: 'get',
    path,
    id: 'test',
    summary: name,
    tag: 'Test',
    access: 'anyone',
    scope: null,
    ...(path.includes('{') ? { params: Type.Object({ service: Type.String() }) } : {}),
    responses: { 200: Type.Object({ name: Type.String() }) },
    handler: () => reply(200, { name }),
  })

test('a literal segment wins over a parameter, whichever was declared first', async () => {
  const url = await serve(named('/limits/{service}', 'service'), named('/limits/ip', 'ip'))
  expect(await (await fetch(`${url}/limits/ip`)).json()).toEqual({ name: 'ip' })
  expect(await (await fetch(`${url}/limits/feeds`)).json()).toEqual({ name: 'service' })
})

test('a handler is given checked parameters, the groups of the caller and its address', async () => {
  let seen: unknown
  const url = await serve(
    route({
      method: 'get',
      path: '/overview/{name}',
      id: 'test',
      summary: 'Overview',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      params: Type.Object({ name: Type.String({ maxLength: 5 }) }),
      query: Type.Object({ days: Type.Integer({ default: 30 }) }),
      responses: { 204: null },
      handler: ({ params, query, groups, user, ip }) => {
        seen = { params, days: query.days + 1, groups, user, ip }
        return reply(204)
      },
    }),
  )
  const response = await fetch(`${url}/overview/%C3%A9t%C3%A9?days=7`, {
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  expect([response.status, await response.text()]).toEqual([204, ''])
  expect(seen).toEqual({ params: { name: 'été' }, days: 8, groups: ['public'], user: null, ip: '203.0.113.9' })
  expect((await fetch(`${url}/overview/toolong`)).status).toBe(400)
})

test('the signal of a request aborts when the client goes away, and not when it was answered', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const url = await serve(
    route({
      method: 'get',
      path: '/slow',
      id: 'test',
      summary: 'Slow',
      tag: 'Test',
      access: 'open',
      scope: null,
      query: Type.Object({ wait: Type.Boolean({ default: false }) }),
      responses: { 204: null },
      handler: async ({ query, signal }) => {
        signals.push(signal)
        if (query.wait) {
          signal.addEventListener('abort', () => resolve())
          begin()
          await aborted
        }
        return reply(204)
      },
    }),
  )
  await fetch(`${url}/slow`)
  const controller = new AbortController()
  const gone = fetch(`${url}/slow?wait=true`, { signal: controller.signal })
  await started
  controller.abort()
  await expect(gone).rejects.toThrow()
  await aborted
  expect(signals.map((signal) => signal.aborted)).toEqual([false, true])
})

test('a handler reads single headers, by their names in lower case', async () => {
  const seen: unknown[] = []
  const url = await serve(
    route({
      method: 'get',
      path: '/headers',
      id: 'test',
      summary: 'Headers',
      tag: 'Test',
      access: 'open',
      scope: null,
      responses: { 204: null },
      handler: ({ header }) => {
        seen.push(['last-event-id', 'x-absent', 'set-cookie'].map(header))
        return reply(204)
      },
    }),
  )
  await fetch(`${url}/headers`, { headers: { 'Last-Event-ID': '7', 'set-cookie': 'a=b' } })
  expect(seen).toEqual([['7', undefined, 'a=b']])
})

test('a handler that throws anything is a 500 that tells nothing', async () => {
  const url = await serve({
    ...named('/broken', 'broken'),
    handler: () => Promise.reject(new Error('table users is gone')),
  })
  const response = await fetch(`${url}/broken`)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('users')
})

test('paths of TAXII are answered without their last slash too, and a refusal of a body names their media type', async () => {
  const url = await serve(
    named('/taxii2/', 'discovery'),
    route({
      method: 'post',
      audit: notAudited('a test'),
      path: '/taxii2/harrier/collections/{id}/objects/',
      id: 'test',
      summary: 'Post',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ objects: Type.Array(Type.Unknown()) }),
      bodyMedia: 'application/taxii+json;version=2.1',
      responses: { 204: null },
      handler: () => reply(204),
    }),
  )
  for (const path of ['/taxii2', '/taxii2/'])
    expect(await (await fetch(url + path)).json()).toEqual({ name: 'discovery' })
  const post = (path: string, type: string, body: string) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body })
  const taxii = 'application/taxii+json;version=2.1'
  expect((await post('/taxii2/harrier/collections/a/objects', taxii, '{"objects":[]}')).status).toBe(204)
  const form = await post('/taxii2/harrier/collections/a/objects/', 'application/x-www-form-urlencoded', 'objects=1')
  expect([form.status, form.headers.get('x-error')]).toEqual([415, `content-type must be ${taxii}`])
  expect((await fetch(`${url}/taxii2/none`)).status).toBe(404)
})

const paths = paramPaths<string>()
for (const path of ['/e/{id}', '/e/{id}.stix', '/e/all', '/e/{id}/x/{to}', '/f/{name}/y', '/f/{id}'])
  paths.add(path, path)

test.each([
  ['/e/1', '/e/{id}', { id: '1' }],
  ['/e/1.stix', '/e/{id}.stix', { id: '1' }],
  ['/e/all', '/e/all', {}],
  ['/e/1/x/2', '/e/{id}/x/{to}', { id: '1', to: '2' }],
  ['/e/all/x/2', '/e/{id}/x/{to}', { id: 'all', to: '2' }],
  ['/f/a%2Fb', '/f/{id}', { id: 'a/b' }],
  ['/f/a/y', '/f/{name}/y', { name: 'a' }],
])('%s leads to %s', (path, value, params) => {
  expect(paths.find(path)).toEqual({ value, params })
})

test.each(['/e', '/e/', '/e/1/', '/e/1/x', '/e/1/x/', '/e//x/2', '/e/.stix/x', '/g/1', ''])(
  '%j leads to nothing',
  (path) => {
    expect(paths.find(path)).toBeNull()
  },
)

test('a parameter whose escapes are none of UTF-8 is named', () => {
  for (const bad of ['%', '%zz', '%ff'])
    expect(() => paths.find(`/e/1/x/${bad}`)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'to' }),
    )
})
