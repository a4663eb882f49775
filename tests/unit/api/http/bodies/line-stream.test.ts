import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import { afterEach, expect, test } from 'vitest'
import {
  checkLineStream,
  type LineStream,
  lineStream,
  type NextLines,
} from '../../../../../api/http/bodies/line-stream.ts'
import { listen, type RunningServer } from '../../../../../api/http/server.ts'

const BOUNDS = { maxBytes: 1_000_000, idleMs: 60_000, totalMs: 60_000 }
let server: RunningServer
afterEach(() => server?.stop(0))

/** Serves a body to `all`; resolves to the request, to what is read as it comes, and to all of it once it ends. */
async function served(bounds = BOUNDS, waitMs?: number) {
  const { promise, resolve, reject } = Promise.withResolvers<NextLines[]>()
  const got: NextLines[] = []
  const app = new Koa().use(async (ctx) => {
    await all(lineStream(ctx.req, bounds), got, waitMs).then(resolve, reject)
    ctx.body = 'done'
  })
  const limits = { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 }
  server = await listen({ app }, { host: '127.0.0.1', port: 0, limits })
  const sending = request(server.url, { method: 'POST' })
  sending.on('error', () => undefined)
  return { sending, got, read: promise }
}

/** Adds to `got` what comes, up to the end; `waitMs` bounds the first wait only. */
async function all(lines: LineStream, got: NextLines[], waitMs?: number): Promise<NextLines[]> {
  if (waitMs !== undefined) got.push(await lines.next(100, waitMs))
  for (;;) {
    const next = await lines.next(100)
    got.push(next)
    if (next.kind !== 'lines') return got
  }
}
const text = (got: readonly NextLines[]) => got.map((next) => (next.kind === 'lines' ? String(next.bytes) : next.kind))

test('a body may take longer than the server gives a request', async () => {
  const { sending, got, read } = await served()
  sending.write('one\n')
  await expect.poll(() => text(got)).toEqual(['one\n'])
  await sleep(600)
  sending.end('two')
  expect(text(await read)).toEqual(['one\n', 'two', 'end'])
})

test('a line that does not come is waited for so long and no longer', async () => {
  const { sending, read } = await served({ ...BOUNDS, idleMs: 100 })
  sending.write('one\ntw')
  expect(text(await read)).toEqual(['one\n', 'late'])
  sending.destroy()
})

test('a body that goes on for too long ends, whatever still comes', async () => {
  const { sending, read } = await served({ ...BOUNDS, totalMs: 150 })
  const writing = setInterval(() => sending.write('x\n'), 10)
  expect(text(await read).at(-1)).toBe('late')
  clearInterval(writing)
  sending.destroy()
})

test('a client that goes away in the middle of a line has sent the lines before it', async () => {
  const { sending, got, read } = await served()
  sending.write('one\ntw')
  await expect.poll(() => text(got)).toEqual(['one\n'])
  sending.destroy()
  expect(text(await read)).toEqual(['one\n', 'cut'])
})

test('what is past the bound is not read; lines before it are', async () => {
  const { sending, read } = await served({ ...BOUNDS, maxBytes: 6 })
  sending.end('one\ntwo\nthree\n')
  expect(text(await read)).toEqual(['one\n', 'too_large'])
})

test('who waits for a while only is told so, and goes on', async () => {
  const { sending, got, read } = await served(BOUNDS, 50)
  sending.flushHeaders()
  await expect.poll(() => text(got)).toEqual(['waiting'])
  sending.end('one\n')
  expect(text(await read)).toEqual(['waiting', 'one\n', 'end'])
})

test('the next request of the connection has no more time than any other', async () => {
  await served()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answers = ''
  socket.on('data', (bytes) => (answers += bytes))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const head = 'POST / HTTP/1.1\r\nhost: a\r\n'
  socket.write(`${head}content-length: 4\r\n\r\none\n`)
  await expect.poll(() => answers).toContain('done')
  socket.write(head)
  await closed
  expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /)
}, 10_000)

/** A body that nobody asks for after its first line; `sent` says how much of it the connection took. */
async function unasked(bodyBytes: number, ahead: boolean) {
  let lines: LineStream | undefined
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const app = new Koa().use(async (ctx) => {
    lines = lineStream(ctx.req, { ...BOUNDS, maxBytes: 64 * 1024 * 1024 })
    await lines.next(100)
    if (ahead) lines.readAhead()
    await over
    ctx.body = 'done'
  })
  server = await listen({ app }, { host: '127.0.0.1', port: 0 })
  const sending = request(server.url, { method: 'POST', headers: { 'content-length': bodyBytes } })
  sending.on('error', () => undefined)
  const sent = new Promise<string>((resolve) => sending.end(Buffer.alloc(bodyBytes, 'aaaaaaa\n'), () => resolve('all')))
  return { sent, end, sending, lines: () => lines! }
}

const LARGE = 32 * 1024 * 1024

test('a body that nobody asks for waits with the client, unless it is read ahead', async () => {
  const waits = await unasked(LARGE, false)
  expect(await Promise.race([waits.sent, sleep(700, 'waits')])).toBe('waits')
  waits.lines().readAhead()
  expect(await waits.sent).toBe('all')
  let bytes = 8
  for (;;) {
    const next = await waits.lines().next(1_000_000)
    if (next.kind !== 'lines') {
      expect(next.kind).toBe('end')
      break
    }
    bytes += next.bytes.length
  }
  // The first line had been taken with others up to 100 bytes.
  expect(bytes).toBeGreaterThan(LARGE - 100)
  waits.end()
  await server.stop(0)

  const reads = await unasked(LARGE, true)
  expect(await Promise.race([reads.sent, sleep(5_000, 'waits')])).toBe('all')
  reads.end()
})

test('what is read ahead ends at the bound of the body', async () => {
  let lines: LineStream | undefined
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const app = new Koa().use(async (ctx) => {
    lines = lineStream(ctx.req, { ...BOUNDS, maxBytes: 16 })
    await lines.next(4)
    lines.readAhead()
    await over
    ctx.body = 'done'
  })
  server = await listen({ app }, { host: '127.0.0.1', port: 0 })
  const sending = request(server.url, { method: 'POST' })
  sending.on('error', () => undefined)
  sending.end('one\n'.repeat(10))
  await expect.poll(() => lines !== undefined).toBe(true)
  expect(text(await all(lines!, []))).toEqual(['one\none\none\n', 'too_large'])
  end()
})

test('whether a request without a body is one without lines depends on the route', () => {
  const bounds = { ...BOUNDS, maxBytes: 10 }
  const head = (headers: Record<string, string>) =>
    ({ headers: { 'content-type': 'application/x-ndjson', ...headers } }) as unknown as Parameters<
      typeof checkLineStream
    >[0]
  for (const empty of [head({}), head({ 'content-length': '0' })]) {
    expect(() => checkLineStream(empty, bounds)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
    expect(() => checkLineStream(empty, { ...bounds, mayBeEmpty: true })).not.toThrow()
  }
  const long = head({ 'content-length': '11' })
  expect(() => checkLineStream(long, { ...bounds, mayBeEmpty: true })).toThrow(
    expect.objectContaining({ code: 'body_too_large' }),
  )
  expect(() => checkLineStream(head({ 'transfer-encoding': 'chunked' }), bounds)).not.toThrow()
})

/** When the body of a request that nobody asks lines of has come, and how the next question is answered. */
async function arriving(bounds = BOUNDS) {
  const came = Promise.withResolvers<{ ms: number; lines: LineStream }>()
  const over = Promise.withResolvers<void>()
  const app = new Koa().use(async (ctx) => {
    const lines = lineStream(ctx.req, bounds)
    const began = performance.now()
    await lines.arrived()
    came.resolve({ ms: performance.now() - began, lines })
    await over.promise
    ctx.body = 'done'
  })
  server = await listen({ app }, { host: '127.0.0.1', port: 0 })
  const sending = request(server.url, { method: 'POST' })
  sending.on('error', () => undefined)
  return { sending, came: came.promise, end: over.resolve }
}

test('a body has arrived when it has ended, and its lines are still to be asked for', async () => {
  const { sending, came, end } = await arriving()
  sending.write('one\n')
  expect(await Promise.race([came, sleep(200, 'no')])).toBe('no')
  sending.end('two')
  expect(text(await all((await came).lines, []))).toEqual(['one\ntwo', 'end'])
  end()
})

test('a body that does not come is waited for so long, though nobody asks for a line', async () => {
  const { sending, came, end } = await arriving({ ...BOUNDS, idleMs: 150 })
  sending.write('one\ntw')
  const { lines, ms } = await came
  expect(ms).toBeGreaterThan(140)
  expect(text(await all(lines, []))).toEqual(['one\n', 'late'])
  end()
  sending.destroy()
})

test('a body whose client is gone comes no more', async () => {
  const { sending, came, end } = await arriving()
  sending.write('one\n')
  await sleep(50)
  sending.destroy()
  expect(text(await all((await came).lines, []))).toEqual(['one\n', 'cut'])
  end()
})
