import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import Koa from 'koa'
import { afterEach, expect, test, vi } from 'vitest'
import { sendStream } from '../../../../../api/http/answers/respond.ts'
import { type Sink, StreamBody } from '../../../../../api/http/answers/stream-body.ts'
import { openStreams } from '../../../../../api/http/answers/streams.ts'
import { reply, route } from '../../../../../api/http/route.ts'
import { listen } from '../../../../../api/http/server.ts'
import { apiPorts } from '../../../../builders/api/ports.ts'
import { eventsRoute, type ServedRoutes, serveRoutes } from '../../../../builders/api/serve-routes.ts'

const LATER = { timeout: 60_000, interval: 10 }
const GET = 'GET /events HTTP/1.1\r\nhost: x\r\n\r\n'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function serve(...given: Parameters<typeof serveRoutes>): Promise<ServedRoutes> {
  const server = await serveRoutes(...given)
  ends.push(() => server.stop(0))
  return server
}

/** A connection that reads nothing until it is told to. */
async function silent(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Writes until the client takes no more, and `most` bytes wait for it. */
async function fill(sink: Sink, most: number): Promise<void> {
  while (sink.buffered() < most && !sink.signal.aborted) {
    sink.write(`data: ${'x'.repeat(524_288)}\n\n`)
    // What is written within a moment goes out together.
    await sleep(50)
  }
}

test('the head goes out at once, without a length, for proxies and caches to pass on as it comes', async () => {
  const sinks: Sink[] = []
  const { url } = await serve([eventsRoute((sink) => void sinks.push(sink))])
  const response = await fetch(`${url}/events`)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    vary: 'authorization, api-key, api-secret',
  })
  for (const absent of ['content-length', 'content-encoding']) expect(response.headers.has(absent)).toBe(false)
  sinks[0]!.write('data: ä\n\n')
  sinks[0]!.write(Buffer.from('data: b\n\n'))
  sinks[0]!.end()
  sinks[0]!.write('data: too late\n\n')
  expect(await response.text()).toBe('data: ä\n\ndata: b\n\n')
})

test('HEAD is answered with the head alone, and the stream is over for its service', async () => {
  const reasons: unknown[] = []
  const { url, streams } = await serve([
    eventsRoute(({ signal }) => signal.addEventListener('abort', () => reasons.push(signal.reason))),
  ])
  const response = await fetch(`${url}/events`, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await response.text()).toBe('')
  expect(reasons).toEqual(['gone'])
  expect(await streams()).toBe(0)
})

test('a client of Server-Sent Events that was cut off comes back with the id of the last event', async () => {
  const asked: (string | undefined)[] = []
  const { url } = await serve([
    eventsRoute((sink, { header }) => {
      const last = header('last-event-id')
      asked.push(last)
      const next = Number(last ?? 0) + 1
      sink.write(`retry: 20\n\nid: ${next}\nevent: change\ndata: event ${next}\n\n`)
      // The first is broken off, the second ends in order, the third stays.
      if (next === 1) sink.onDrain(() => sink.destroy())
      else if (next === 2) sink.end()
    }),
  ])
  const client = new EventSource(`${url}/events`)
  ends.push(() => client.close())
  const seen: string[] = []
  client.addEventListener('change', ({ data }) => seen.push(data))
  await vi.waitFor(() => expect(seen).toEqual(['event 1', 'event 2', 'event 3']), LATER)
  expect(asked).toEqual([undefined, '1', '2'])
})

test('what a client does not take is counted, and calls back once it is taken', async () => {
  const { promise: full, resolve: isFull } = Promise.withResolvers<Sink>()
  const { url } = await serve([
    eventsRoute(async (sink) => {
      await fill(sink, 1024 * 1024)
      isFull(sink)
    }),
  ])
  const socket = await silent(url)
  socket.write(GET)
  const sink = await full
  expect(sink.buffered()).toBeGreaterThanOrEqual(1024 * 1024)
  let drained = 0
  sink.onDrain(() => drained++)
  socket.resume()
  await vi.waitFor(() => expect([drained, sink.buffered()]).toEqual([1, 0]), LATER)
  sink.onDrain(() => drained++)
  await vi.waitFor(() => expect(drained).toBe(2), LATER)
})

test('a client that reads nothing is ended by the service with a last event, which it finds when it reads on', async () => {
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const { url, streams } = await serve([
    eventsRoute(async (sink) => {
      await fill(sink, 1024 * 1024)
      sink.write('event: lagging\ndata: {}\n\n')
      sink.end()
      isFull()
    }),
  ])
  const socket = await silent(url)
  socket.write(GET)
  await full
  let seen = ''
  socket.on('data', (chunk) => {
    seen = (seen + chunk).slice(-200)
  })
  await vi.waitFor(() => expect(seen).toMatch(/event: lagging\ndata: \{\}\n\n\r\n0\r\n\r\n$/), LATER)
  await vi.waitFor(async () => expect(await streams()).toBe(0), LATER)
})

test('a client that reads nothing is cut off by a service that does not wait for it', async () => {
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const { url, streams } = await serve([
    eventsRoute(async (sink) => {
      await fill(sink, 1024 * 1024)
      sink.destroy()
      isFull()
    }),
  ])
  const socket = await silent(url)
  socket.write(GET)
  await full
  await vi.waitFor(async () => expect(await streams()).toBe(0), LATER)
  socket.resume()
  await once(socket, 'close')
})

test('a service that does not look at what waits is bounded: the client is cut off', async () => {
  const { promise: over, resolve } = Promise.withResolvers<number>()
  const { url } = await serve([
    eventsRoute(async (sink) => {
      await fill(sink, Number.POSITIVE_INFINITY)
      resolve(sink.buffered())
    }),
  ])
  const socket = await silent(url)
  socket.write(GET)
  expect(await over).toBeLessThan(16 * 1024 * 1024)
})

test('a client that takes nothing of what waits for it is gone after a while; one for whom nothing waits is not', async () => {
  const { logger, metrics } = apiPorts()
  const streams = openStreams({ logger, metrics: metrics.instruments })
  const sinks: Sink[] = []
  const app = new Koa().use((ctx) =>
    sendStream(ctx, new StreamBody('text/plain', (sink) => void sinks.push(sink)), streams, 100),
  )
  const server = await listen({ app, stop: streams.stop }, { host: '127.0.0.1', port: 0 })
  ends.push(() => server.stop(0))
  const idle = await fetch(server.url)
  const socket = await silent(server.url)
  socket.write(GET)
  await vi.waitFor(() => expect(sinks).toHaveLength(2), LATER)
  await fill(sinks[1]!, 1024 * 1024)
  await vi.waitFor(() => expect(sinks[1]!.signal.reason).toBe('gone'), LATER)
  expect(sinks[0]!.signal.aborted).toBe(false)
  sinks[0]!.end()
  expect(await idle.text()).toBe('')
})

test('a client that goes away ends its stream, and nothing of it is left', async () => {
  const sinks: Sink[] = []
  const { url, streams, warnings } = await serve([
    eventsRoute((sink) => {
      sinks.push(sink)
      sink.write('data: 1\n\n')
    }),
  ])
  const controllers = Array.from({ length: 20 }, () => new AbortController())
  await Promise.all(controllers.map(({ signal }) => fetch(`${url}/events`, { signal })))
  expect(await streams()).toBe(20)
  for (const controller of controllers) controller.abort()
  await vi.waitFor(async () => expect(await streams()).toBe(0), LATER)
  expect(sinks.map(({ signal }) => signal.reason)).toEqual(Array(20).fill('gone'))
  // What a service writes before it notices goes nowhere.
  for (const sink of sinks) sink.write('data: 2\n\n')
  expect(sinks.map((sink) => sink.buffered())).toEqual(Array(20).fill(0))
  expect(warnings).toEqual([])
})

test('a client that says it will send no more has ended its stream', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<Sink>()
  const { url, streams, warnings } = await serve([eventsRoute(begin)])
  const socket = await silent(url)
  socket.write(GET)
  const sink = await begun
  socket.end()
  socket.resume()
  await vi.waitFor(() => {
    sink.write('data: anyone?\n\n')
    expect(sink.signal.reason).toBe('gone')
  }, LATER)
  expect([await streams(), warnings]).toEqual([0, []])
})

test('streams that wait behind another one of their connection end with it', async () => {
  const reasons: unknown[] = []
  const { url, streams } = await serve([
    eventsRoute(({ signal }) => signal.addEventListener('abort', () => reasons.push(signal.reason))),
  ])
  const socket = await silent(url)
  socket.write(GET.repeat(3))
  await vi.waitFor(async () => expect(await streams()).toBe(3), LATER)
  socket.destroy()
  await vi.waitFor(() => expect(reasons).toEqual(['gone', 'gone', 'gone']), LATER)
  expect(await streams()).toBe(0)
})

test('a stream that begins when its connection is over is over at once', async () => {
  const reasons: unknown[] = []
  const { promise: first, resolve: isFirst } = Promise.withResolvers<Sink>()
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const over = ({ signal }: Sink) => signal.addEventListener('abort', () => reasons.push(signal.reason))
  const late = route({
    method: 'get',
    path: '/late',
    id: 'test',
    summary: 'Late.',
    tag: 'Test',
    access: 'open',
    scope: null,
    responses: { 200: { media: 'text/plain', description: 'Nothing' } },
    handler: async () => {
      ask()
      await gone
      return reply(200, new StreamBody('text/plain', over))
    },
  })
  const { url, streams } = await serve([eventsRoute(isFirst), late])
  const socket = await silent(url)
  socket.write(GET + GET.replace('/events', '/late'))
  const [{ signal }] = await Promise.all([first, asked])
  signal.addEventListener('abort', () => isGone())
  socket.destroy()
  await vi.waitFor(() => expect(reasons).toEqual(['gone']), LATER)
  expect(await streams()).toBe(0)
})

test('a stream outlives every time limit of requests and connections', async () => {
  const sinks: Sink[] = []
  const { url } = await serve([eventsRoute((sink) => void sinks.push(sink))], {
    headersTimeout: 100,
    requestTimeout: 100,
    keepAliveTimeout: 100,
    connectionsCheckingInterval: 20,
  })
  const response = await fetch(`${url}/events`)
  // Connections that the limits end, one after the other, tell that their time was up several times.
  for (const head of ['GET / HTTP/1.1\r\n', 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n', 'GET / HTTP/1.1\r\n']) {
    const socket = await silent(url)
    socket.resume()
    socket.write(head)
    await once(socket, 'close')
  }
  sinks[0]!.write('data: still here\n\n')
  sinks[0]!.end()
  expect(await response.text()).toBe('data: still here\n\n')
})

test('a connection that asks nothing is closed without a word: its first request would take that for its answer', async () => {
  const { url } = await serve([eventsRoute(() => undefined)], {
    headersTimeout: 100,
    requestTimeout: 100,
    connectionsCheckingInterval: 20,
  })
  const told = async (head: string): Promise<string> => {
    const socket = await silent(url)
    let text = ''
    socket.on('data', (bytes: Buffer) => {
      text += String(bytes)
    })
    if (head !== '') socket.write(head)
    await once(socket, 'close')
    return text
  }
  expect(await told('')).toBe('')
  expect(await told('GET / HTTP/1.1\r\n')).toContain('HTTP/1.1 4')
})

test('a stream whose service fails breaks off, and the failure is in the log', async () => {
  const { url, warnings, streams } = await serve([
    eventsRoute(async (sink) => {
      sink.write('data: 1\n\n')
      await sleep(1)
      throw new Error('the tail is gone')
    }),
  ])
  const response = await fetch(`${url}/events`)
  await expect(response.text()).rejects.toThrow()
  expect(warnings.join()).toContain('the tail is gone')
  await vi.waitFor(async () => expect(await streams()).toBe(0), LATER)
})

test('a stop lets every stream say a last word and end, long before its grace is over', async () => {
  const { url, stop, streams, warnings } = await serve([
    eventsRoute((sink) => {
      sink.write('data: 1\n\n')
      sink.signal.addEventListener('abort', () => sink.write(`event: bye\ndata: ${sink.signal.reason}\n\n`))
    }),
    { ...eventsRoute(() => undefined), path: '/mute' },
  ])
  const told = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/events`)))
  const mute = await fetch(`${url}/mute`)
  await stop(600_000, 50)
  for (const response of told) expect(await response.text()).toBe('data: 1\n\nevent: bye\ndata: stopping\n\n')
  expect(await mute.text()).toBe('')
  expect([await streams(), warnings]).toEqual([0, []])
  await expect(fetch(url)).rejects.toThrow()
})

test('a client that does not take the end is cut off at a stop', async () => {
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const { url, stop } = await serve([
    eventsRoute(async (sink) => {
      await fill(sink, 1024 * 1024)
      isFull()
    }),
  ])
  const socket = await silent(url)
  socket.write(GET)
  await full
  await stop(600_000)
  socket.resume()
  await once(socket, 'close')
})

test('a stream counts as a request until its head is out', async () => {
  const sinks: Sink[] = []
  const { url, exposition } = await serve([eventsRoute((sink) => void sinks.push(sink))])
  const response = await fetch(`${url}/events`)
  const count = 'harrier_http_request_duration_seconds_count{method="GET",route="/events",status="200"} 1'
  const open = await exposition()
  expect(open).toContain(count)
  expect(open).toContain('harrier_http_requests_in_flight 0')
  expect(open).toContain('harrier_http_streams_open 1')
  sinks[0]!.end()
  await response.text()
  await vi.waitFor(async () => expect(await exposition()).toContain('harrier_http_streams_open 0'), LATER)
  expect(await exposition()).toContain(count)
  expect(await exposition()).toContain('harrier_http_requests_in_flight 0')
})
