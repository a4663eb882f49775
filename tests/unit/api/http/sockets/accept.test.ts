import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as others } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Sink } from '../../../../../api/http/answers/stream-body.ts'
import { socketRoute } from '../../../../../api/http/sockets/socket-route.ts'
import { type ServedRoutes, serveRoutes } from '../../../../builders/api/serve-routes.ts'

const LATER = { timeout: 60_000, interval: 10 }
/** A handshake as RFC 6455 1.2 shows it. */
const HANDSHAKE = [
  'GET /live HTTP/1.1',
  'host: x',
  'upgrade: websocket',
  'connection: Upgrade',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version: 13',
  '\r\n',
].join('\r\n')

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const live = (start: (sink: Sink) => Promise<void> | void) =>
  socketRoute({
    path: '/live',
    id: 'test',
    summary: 'Live.',
    tag: 'Test',
    access: 'anyone',
    scope: null,
    frames: 'Texts.',
    open: () => start,
  })

async function serve(start: (sink: Sink) => Promise<void> | void): Promise<ServedRoutes> {
  const server = await serveRoutes([live(start)])
  ends.push(() => server.stop(0))
  return server
}

/** A socket, and what came on it until it closed. */
function client({ url }: { url: string }, options: object = {}) {
  const socket = new WebSocket(`${url}/live`, options)
  ends.push(() => socket.terminate())
  const frames: string[] = []
  socket.on('message', (data, binary) => frames.push(`${binary ? 'binary' : 'text'} ${data}`))
  const closed = new Promise<number>((resolve) => void socket.on('close', resolve))
  socket.on('error', () => undefined)
  return { socket, frames, closed }
}

/** A connection that is a socket after its handshake, and reads nothing. */
async function mute({ url }: { url: string }): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(HANDSHAKE)
  return socket
}

test('each write is one text frame, and the end is a close in order', async () => {
  const server = await serve((sink) => {
    sink.write('{"n":1}')
    sink.write(Buffer.from('{"n":"ä"}'))
    sink.end()
    sink.write('too late')
  })
  const { frames, closed, socket } = client(server)
  expect(await closed).toBe(1000)
  expect(frames).toEqual(['text {"n":1}', 'text {"n":"ä"}'])
  expect(socket.extensions).toBe('')
  await vi.waitFor(async () => expect(await server.streams()).toBe(0), LATER)
})

test('a service may say with its code why it ends', async () => {
  const { closed } = client(await serve((sink) => sink.end(1013)))
  expect(await closed).toBe(1013)
})

test('the close of a client is answered, and ends the stream of its service', async () => {
  const sinks: Sink[] = []
  const server = await serve((sink) => void sinks.push(sink))
  const { socket, closed } = client(server)
  await once(socket, 'open')
  expect(await server.streams()).toBe(1)
  socket.close(1000)
  expect(await closed).toBe(1000)
  await vi.waitFor(() => expect(sinks[0]!.signal.reason).toBe('gone'), LATER)
  expect(await server.streams()).toBe(0)
})

test('clients that vanish without a close leave nothing behind', async () => {
  const sinks: Sink[] = []
  const server = await serve((sink) => void sinks.push(sink))
  const clients = Array.from({ length: 20 }, () => client(server))
  await Promise.all(clients.map(({ socket }) => once(socket, 'open')))
  expect(await server.streams()).toBe(20)
  for (const { socket } of clients) socket.terminate()
  const reset = await mute(server)
  await once(reset, 'data')
  reset.resetAndDestroy()
  await vi.waitFor(async () => {
    expect(sinks).toHaveLength(21)
    expect(await server.streams()).toBe(0)
  }, LATER)
  expect(sinks.map(({ signal }) => signal.reason)).toEqual(Array(21).fill('gone'))
  expect(server.warnings).toEqual([])
})

test('what a client does not read waits, and the service that looks at it cuts the client off', async () => {
  const { promise: most, resolve } = Promise.withResolvers<number>()
  const server = await serve(async (sink) => {
    while (sink.buffered() < 1024 * 1024) {
      sink.write('x'.repeat(65_536))
      await others()
    }
    resolve(sink.buffered())
    sink.destroy()
  })
  await mute(server)
  expect(await most).toBeGreaterThanOrEqual(1024 * 1024)
  await vi.waitFor(async () => expect(await server.streams()).toBe(0), LATER)
})

test('what a client does not read calls back once it is taken', async () => {
  const drained = vi.fn()
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const server = await serve(async (sink) => {
    while (sink.buffered() < 1024 * 1024) {
      sink.write('x'.repeat(65_536))
      await others()
    }
    sink.onDrain(() => drained(sink.buffered()))
    isFull()
  })
  const socket = await mute(server)
  await full
  socket.resume()
  await vi.waitFor(() => expect(drained.mock.calls).toEqual([[0]]), LATER)
})

test('a message that is too large closes the socket', async () => {
  const { socket, closed } = client(await serve(() => undefined))
  await once(socket, 'open')
  socket.send('x'.repeat(1025))
  expect(await closed).toBe(1009)
})

test('bytes that are no frames close the socket', async () => {
  const server = await serve(() => undefined)
  const socket = await mute(server)
  await once(socket, 'data')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'close')
  await vi.waitFor(async () => expect(await server.streams()).toBe(0), LATER)
})

test('frames that come with the handshake are read like all others', async () => {
  const server = await serve(() => undefined)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  ends.push(() => socket.destroy())
  // A close, masked with zeros.
  socket.write(Buffer.concat([Buffer.from(HANDSHAKE), Buffer.from([0x88, 0x80, 0, 0, 0, 0])]))
  socket.resume()
  await once(socket, 'close')
  await vi.waitFor(async () => expect(await server.streams()).toBe(0), LATER)
})

test('a service that fails closes its socket with a fault, which is in the log', async () => {
  const server = await serve(async () => {
    await others()
    throw new Error('the tail is gone')
  })
  expect(await client(server).closed).toBe(1011)
  expect(server.warnings.join()).toContain('the tail is gone')
})

test('a stop closes sockets with "going away" after a last frame, long before its grace is over', async () => {
  const server = await serve((sink) => sink.signal.addEventListener('abort', () => sink.write('bye')))
  const clients = Array.from({ length: 10 }, () => client(server))
  await Promise.all(clients.map(({ socket }) => once(socket, 'open')))
  await server.stop(600_000, 50)
  expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual(Array(10).fill(1001))
  expect(clients.map(({ frames }) => frames)).toEqual(Array(10).fill(['text bye']))
  expect([await server.streams(), server.warnings]).toEqual([0, []])
})

test('a client that does not answer the close of a stop is cut off', async () => {
  const server = await serve(() => undefined)
  const socket = await mute(server)
  await vi.waitFor(async () => expect(await server.streams()).toBe(1), LATER)
  await server.stop(600_000)
  socket.resume()
  await once(socket, 'close')
})

test('a handshake counts as a request until its answer is out', async () => {
  const server = await serve(() => undefined)
  const { socket } = client(server)
  await once(socket, 'open')
  const open = await server.exposition()
  expect(open).toContain('harrier_http_request_duration_seconds_count{method="GET",route="/live",status="101"} 1')
  expect(open).toContain('harrier_http_requests_in_flight 0')
  expect(open).toContain('harrier_http_streams_open 1')
})
