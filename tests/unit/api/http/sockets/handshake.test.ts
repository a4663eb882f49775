import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ApiError } from '../../../../../api/http/errors.ts'
import { type Route, reply, route } from '../../../../../api/http/route.ts'
import { answerHandshake } from '../../../../../api/http/sockets/handshake.ts'
import { socketRoute } from '../../../../../api/http/sockets/socket-route.ts'
import { asAdmin } from '../../../../builders/api/ports.ts'
import { type ServedRoutes, serveRoutes } from '../../../../builders/api/serve-routes.ts'
import { raw, refusalOf } from '../../../../builders/network/raw-http.ts'

const LATER = { timeout: 60_000, interval: 10 }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Tickets that open the socket; each is taken once. */
const live = (tickets: string[], seen: unknown[] = []): Route =>
  socketRoute({
    path: '/live',
    id: 'test',
    summary: 'Live.',
    tag: 'Test',
    access: 'anyone',
    scope: null,
    query: Type.Object({ ticket: Type.String({ maxLength: 20 }) }),
    frames: 'Texts.',
    open: async ({ query, user, header }) => {
      seen.push({ user: user?.userId ?? null, gateway: header('user-id') ?? null })
      const at = tickets.indexOf(query.ticket)
      if (user !== null) throw new ApiError('unauthorized', { message: 'a ticket comes without other credentials' })
      if (query.ticket === 'full') throw new ApiError('busy')
      if (at < 0) throw new ApiError('unauthorized')
      tickets.splice(at, 1)
      return (sink) => sink.write('open')
    },
  })

const plain = route({
  method: 'get',
  path: '/plain',
  id: 'test',
  summary: 'Plain.',
  tag: 'Test',
  access: 'open',
  scope: null,
  responses: { 200: Type.Object({ plain: Type.Boolean() }) },
  handler: () => reply(200, { plain: true }),
})

async function serve(routes: Route[], limits = {}): Promise<ServedRoutes> {
  const server = await serveRoutes(routes, limits)
  ends.push(() => server.stop(0))
  return server
}

const HEADERS = {
  host: 'x',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
}
const handshake = (path: string, headers: Record<string, string> = {}, method = 'GET'): string => {
  const lines = Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
const answerTo = async (url: string, ...given: Parameters<typeof handshake>) => (await raw(url, handshake(...given)))!

/** Ends when the socket is open, or with the status that it is refused with. */
async function opened(url: string, options: object = {}): Promise<'open' | number> {
  const socket = new WebSocket(url, options)
  ends.push(() => socket.terminate())
  socket.on('error', () => undefined)
  return Promise.race([
    once(socket, 'message').then(() => 'open' as const),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number),
  ])
}

test('a ticket opens one socket, and a second handshake with it is refused', async () => {
  const { url } = await serve([live(['one'])])
  expect(await opened(`${url}/live?ticket=one`)).toBe('open')
  expect(await opened(`${url}/live?ticket=one`)).toBe(401)
})

const refusals: {
  name: string
  path?: string
  headers?: Record<string, string>
  method?: string
  status: number
  code: string
  also?: Record<string, string>
}[] = [
  {
    name: 'a wrong ticket',
    path: '/live?ticket=two',
    status: 401,
    code: 'unauthorized',
    also: { 'www-authenticate': 'Bearer' },
  },
  { name: 'no ticket', path: '/live', status: 400, code: 'invalid_parameter' },
  { name: 'an unknown parameter', path: '/live?ticket=one&a=b', status: 400, code: 'invalid_parameter' },
  { name: 'credentials beside the ticket', headers: asAdmin, status: 401, code: 'unauthorized' },
  { name: 'wrong credentials', headers: { authorization: 'Bearer x' }, status: 401, code: 'unauthorized' },
  { name: 'too much under way', path: '/live?ticket=full', status: 503, code: 'busy', also: { 'retry-after': '1' } },
  { name: 'no key', headers: { 'sec-websocket-key': '' }, status: 400, code: 'invalid_parameter' },
  {
    name: 'another version',
    headers: { 'sec-websocket-version': '8' },
    status: 426,
    code: 'upgrade_required',
    also: { 'sec-websocket-version': '13', upgrade: 'websocket' },
  },
]
for (const { name, path = '/live?ticket=one', headers, status, code, also = {} } of refusals) {
  test(`${name} is refused like any other request, and the connection ends`, async () => {
    const tickets = ['one']
    const { url, exposition, streams } = await serve([live(tickets)])
    const answer = await answerTo(url, path, headers)
    expect(answer.status).toBe(status)
    expect(refusalOf(answer)).toBe(code)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: expect.stringMatching(/close$/),
      ...also,
    })
    expect(tickets).toEqual(['one'])
    expect(await streams()).toBe(0)
    const count = `harrier_http_request_duration_seconds_count{method="GET",route="/live",status="${status}"} 1`
    await vi.waitFor(async () => expect(await exposition()).toContain(count), LATER)
    expect(await exposition()).toContain('harrier_http_requests_in_flight 0')
  })
}

test('a handshake to an unknown path is a 404, and to a plain route an answer', async () => {
  const { url } = await serve([live([]), plain])
  const unknown = await answerTo(url, '/nowhere')
  expect([unknown.status, refusalOf(unknown)]).toEqual([404, 'not_found'])
  const known = await answerTo(url, '/plain')
  expect([known.status, known.body]).toEqual([200, '{"plain":true}'])
})

test('a request that is no handshake is told what the path takes', async () => {
  const tickets = ['one']
  const { url } = await serve([live(tickets)])
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`${url}/live?ticket=one`, { method })
    expect(response.status).toBe(426)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': '13',
      'cache-control': 'no-store',
    })
    await response.arrayBuffer()
  }
  const posted = await answerTo(url, '/live?ticket=one', {}, 'POST')
  expect([posted.status, posted.headers.allow]).toEqual([405, 'HEAD, GET'])
  expect(tickets).toEqual(['one'])
})

test('a client that offers another protocol with its requests is answered as if it had not', async () => {
  const { url } = await serve([live([]), plain])
  const h2c = { upgrade: 'h2c', connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABkAAQAAP__' }
  expect((await answerTo(url, '/plain', h2c)).body).toBe('{"plain":true}')
  expect((await answerTo(url, '/live?ticket=one', h2c)).status).toBe(426)
})

test('headers that a gateway adds are dropped from handshakes as well', async () => {
  const seen: unknown[] = []
  const { url } = await serve([live(['one'], seen)])
  expect(await opened(`${url}/live?ticket=one`, { headers: { 'user-id': '1', groups: 'secret' } })).toBe('open')
  expect(seen).toEqual([{ user: null, gateway: null }])
})

test('a list of protocols is no fault, and none is chosen of it', async () => {
  const { url } = await serve([live(['one', 'two'])])
  for (const [ticket, protocols] of Object.entries({ one: 'a, b', two: ',;,' })) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    ends.push(() => socket.destroy())
    socket.write(handshake(`/live?ticket=${ticket}`, { 'sec-websocket-protocol': protocols }))
    const [head] = await once(socket, 'data')
    expect(String(head)).toContain('HTTP/1.1 101')
    expect(String(head).toLowerCase()).not.toContain('sec-websocket-protocol')
  }
})

test('a failure that nobody foresaw is a 500 that tells nothing', async () => {
  const { url, warnings } = await serve([
    socketRoute({
      path: '/live',
      id: 'test',
      summary: 'Live.',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      frames: 'Texts.',
      open: () => Promise.reject(new Error('table tickets is gone')),
    }),
  ])
  const answer = await answerTo(url, '/live')
  expect([answer.status, refusalOf(answer)]).toEqual([500, 'internal'])
  expect(answer.body).not.toContain('tickets')
  expect(warnings.join()).toContain('table tickets is gone')
})

test('a client that leaves while its handshake is decided leaves nothing behind', async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<AbortSignal>()
  const reasons: unknown[] = []
  const { url, streams } = await serve([
    socketRoute({
      path: '/live',
      id: 'test',
      summary: 'Live.',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      frames: 'Texts.',
      open: async ({ signal }) => {
        ask(signal)
        await decided
        return (sink) => sink.signal.addEventListener('abort', () => reasons.push(sink.signal.reason))
      },
    }),
  ])
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(handshake('/live'))
  await asked
  socket.resetAndDestroy()
  await once(socket, 'close')
  decide()
  await vi.waitFor(() => expect(reasons).toEqual(['gone']), LATER)
  expect(await streams()).toBe(0)
})

test('a handshake that is still being decided when its process ends is decided first', async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { url, stop } = await serve([
    socketRoute({
      path: '/live',
      id: 'test',
      summary: 'Live.',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      frames: 'Texts.',
      open: async () => {
        ask()
        await decided
        return () => undefined
      },
    }),
  ])
  const socket = new WebSocket(`${url}/live`)
  const closed = once(socket, 'close')
  await asked
  const stopped = stop(600_000)
  decide()
  expect((await closed)[0]).toBe(1001)
  await stopped
})

test('a stop does not wait longer than its grace for a handshake that is not decided, and nothing of it is left', async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const reasons: unknown[] = []
  const { url, stop } = await serve([
    socketRoute({
      path: '/live',
      id: 'test',
      summary: 'Live.',
      tag: 'Test',
      access: 'anyone',
      scope: null,
      frames: 'Texts.',
      open: async () => {
        ask()
        await decided
        return ({ signal }) => signal.addEventListener('abort', () => reasons.push(signal.reason))
      },
    }),
  ])
  const socket = new WebSocket(`${url}/live`)
  const failed = once(socket, 'error')
  await asked
  await stop(50)
  await failed
  decide()
  await vi.waitFor(() => expect(reasons.length).toBeGreaterThan(0), LATER)
})

test('a connection that is reset while its handshake waits does not end the process', async () => {
  const server = createServer({ shouldUpgradeCallback: () => true })
  server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    answerHandshake(() => undefined, request, { socket, head })
    socket.destroy(new Error('reset'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const { port } = server.address() as { port: number }
  expect(await raw(`http://127.0.0.1:${port}`, handshake('/live'))).toBe(null)
})

test('a thousand handshakes that are never finished end by the time limit of heads, and others go on meanwhile', async () => {
  const { url, streams } = await serve([live(['one'])], { headersTimeout: 1_000, connectionsCheckingInterval: 50 })
  const half = handshake('/live?ticket=one').slice(0, -2)
  const sockets = await Promise.all(
    Array.from({ length: 1_000 }, async (): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      ends.push(() => socket.destroy())
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(half)
      return socket
    }),
  )
  expect(await opened(`${url}/live?ticket=one`)).toBe('open')
  await Promise.all(
    sockets.map(async (socket) => {
      socket.resume()
      if (!socket.closed) await once(socket, 'close')
    }),
  )
  expect(await streams()).toBe(1)
})
