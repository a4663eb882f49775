import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { OutboundRequest } from '../../../../../connectors/network/requests/port.ts'
import { connectTo, sendOutbound } from '../../../../../connectors/network/requests/request.ts'
import { listener, receiver } from '../../../../builders/network/receiver.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of closing.splice(0)) await server.close()
})

const http = async (answer: (response: ServerResponse, n: number) => void) => {
  const made = await receiver(answer)
  closing.push(made)
  return made
}
const raw = async (onSocket: (socket: Socket) => void) => {
  const made = await listener(onSocket)
  closing.push(made)
  return made
}

const request = (url: string, given: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  headers: [],
  body: Buffer.from('{}'),
  timeoutMs: 5_000,
  maxResponseBytes: 1_000,
  allowPrivate: true,
  ...given,
})

test('what is sent is what was given, with our name, the length and no connection to keep', async () => {
  const server = await http((response) => response.writeHead(204, { 'set-cookie': 'a=b' }).end())
  const given = request(`${server.url}?a=b%20c`, { headers: [{ key: 'X-A', value: 'b' }], body: Buffer.from('ä') })
  expect(await sendOutbound(given)).toEqual({ ok: true, status: 204 })
  expect(await sendOutbound(given)).toEqual({ ok: true, status: 204 })
  const host = `127.0.0.1:${server.port}`
  const headers = { 'x-a': 'b', host, 'user-agent': 'harrier', connection: 'close', 'content-length': '2' }
  expect(server.received.map(({ headers, body }) => ({ headers, body: body.toString() }))).toEqual([
    { headers, body: 'ä' },
    { headers, body: 'ä' },
  ])
  expect(server.accepted()).toBe(2)
})

test('a redirect is an answer, and nobody goes where it leads', async () => {
  const behind = await http((response) => response.end())
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await http((response) => response.writeHead(status, { location: behind.url }).end())
    expect(await sendOutbound(request(server.url))).toEqual({ ok: true, status })
  }
  expect(behind.accepted()).toBe(0)
})

test('an answer that never ends is read up to the bound', async () => {
  let written = 0
  let closed = false
  const server = await http((response) => {
    response.writeHead(200)
    response.on('close', () => (closed = true))
    const more = (): void => {
      if (response.destroyed) return
      written += 64
      response.write('x'.repeat(64), more)
    }
    more()
  })
  expect(await sendOutbound(request(server.url))).toEqual({ ok: true, status: 200 })
  await expect.poll(() => closed).toBe(true)
  expect(written).toBeGreaterThanOrEqual(1_000)
})

test('where the whole response is wanted, a success without its end is a failure, and other statuses count as they are', async () => {
  const endless = await http((response) => {
    response.writeHead(200)
    const more = (): void => void (response.destroyed || response.write('x'.repeat(64), more))
    more()
  })
  const halfway = await http((response) =>
    response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
  )
  const silent = await http((response) => response.writeHead(200).write('x'))
  const refusing = await http((response) =>
    response.writeHead(500, { 'content-length': 10 }).write('x', () => response.destroy()),
  )
  const good = await http((response) => response.end('fine'))
  const reasonOf = async ({ url }: { url: string }, timeoutMs = 60_000) => {
    const outcome = await sendOutbound(request(url, { wholeResponse: true, timeoutMs }))
    return outcome.ok ? outcome.status : outcome.reason
  }
  expect(await reasonOf(endless)).toBe('oversized')
  expect(await reasonOf(halfway)).toBe('truncated')
  expect(await reasonOf(silent, 300)).toBe('timeout')
  expect(await reasonOf(refusing)).toBe(500)
  expect(await reasonOf(good)).toBe(200)
})

test('a body that dribbles is cut off in time, and the status counts', async () => {
  const server = await http((response) => response.writeHead(503).write('x'))
  const began = performance.now()
  expect(await sendOutbound(request(server.url, { timeoutMs: 200 }))).toEqual({ ok: true, status: 503 })
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a receiver that says nothing is left in time', async () => {
  const server = await raw(() => undefined)
  const outcome = await sendOutbound(request(`http://127.0.0.1:${server.port}/`, { timeoutMs: 100 }))
  expect(outcome).toEqual({ ok: false, reason: 'timeout', message: 'the request timed out' })
})

test('a head that dribbles, byte by byte, is left in time', async () => {
  const server = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('a'), 10)
    socket.on('close', () => clearInterval(timer))
  })
  const outcome = await sendOutbound(request(`http://127.0.0.1:${server.port}/`, { timeoutMs: 200 }))
  expect(outcome).toMatchObject({ ok: false, reason: 'timeout' })
})

const answers = [
  { name: 'a head beyond its bound', text: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, want: 'too_large' },
  { name: 'what is not HTTP', text: 'SSH-2.0-OpenSSH_9.6\r\n', want: 'protocol' },
  { name: 'a connection that ends before the answer', text: '', want: 'reset' },
  { name: 'half a head', text: 'HTTP/1.1 200 OK\r\ncontent-', want: 'reset' },
  {
    name: 'an upgrade',
    text: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    want: 'reset',
  },
]
for (const { name, text, want } of answers)
  test(`${name} is a failure of the kind ${want}`, async () => {
    const server = await raw((socket) => socket.once('data', () => socket.end(text)))
    const outcome = await sendOutbound(request(`http://127.0.0.1:${server.port}/`))
    expect(outcome).toMatchObject({ ok: false, reason: want })
  })

test('a reset, a refused connection and a receiver without TLS are told apart', async () => {
  const resetting = await raw((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const plain = await raw((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  const gone = await raw(() => undefined)
  await gone.close()
  closing.splice(closing.indexOf(gone), 1)
  const reasonOf = async (url: string) => {
    const outcome = await sendOutbound(request(url))
    return outcome.ok ? outcome.status : outcome.reason
  }
  expect(await reasonOf(`http://127.0.0.1:${resetting.port}/`)).toBe('reset')
  expect(await reasonOf(`https://127.0.0.1:${plain.port}/`)).toBe('tls')
  expect(await reasonOf(`https://127.0.0.1:${resetting.port}/`)).toBe('tls')
  expect(await reasonOf(`http://127.0.0.1:${gone.port}/`)).toBe('refused')
})

test('a name without an address, or whose server never answers, is a failure in time', async () => {
  const none = { resolve: async () => [], connect: connectTo }
  const unknown = { resolve: () => Promise.reject(new Error('ENOTFOUND')), connect: connectTo }
  const silent = { resolve: () => new Promise<string[]>(() => undefined), connect: connectTo }
  const named = request('http://hooks.example.com/', { timeoutMs: 50 })
  expect(await sendOutbound(named, none)).toMatchObject({ ok: false, reason: 'dns' })
  expect(await sendOutbound(named, unknown)).toMatchObject({ ok: false, reason: 'dns' })
  expect(await sendOutbound(named, silent)).toMatchObject({ ok: false, reason: 'timeout' })
})

test('whoever sent it can end it', async () => {
  const server = await raw(() => undefined)
  const stop = new AbortController()
  const url = `http://127.0.0.1:${server.port}/`
  const running = sendOutbound(request(url, { signal: stop.signal }))
  await expect.poll(server.accepted).toBe(1)
  stop.abort()
  expect(await running).toMatchObject({ ok: false, reason: 'stopped' })
  expect(await sendOutbound(request(url, { signal: stop.signal }))).toMatchObject({ reason: 'stopped' })
  expect(server.accepted()).toBe(1)
})

test('what cannot be sent is a failure, not an exception', async () => {
  const server = await http((response) => response.end())
  const broken = [{ key: 'a', value: 'b\r\nc: d' }]
  expect(await sendOutbound(request(server.url, { headers: broken }))).toMatchObject({ reason: 'invalid' })
  expect(await sendOutbound(request('ftp://127.0.0.1/'))).toMatchObject({ reason: 'invalid' })
  expect(await sendOutbound(request('no url'))).toMatchObject({ reason: 'invalid' })
  expect(server.received).toEqual([])
})

test('a proxy of the environment is not used', async () => {
  const server = await http((response) => response.end())
  const proxy = await http((response) => response.end())
  const module = new URL('../../../../../connectors/network/requests/request.ts', import.meta.url).href
  const code = `const { sendOutbound } = await import(${JSON.stringify(module)})
    const outcome = await sendOutbound({ url: ${JSON.stringify(server.url)}, method: 'POST', headers: [],
      body: Buffer.from(''), timeoutMs: 5000, maxResponseBytes: 100, allowPrivate: true })
    process.stdout.write(JSON.stringify(outcome))`
  const proxied = `http://127.0.0.1:${proxy.port}`
  const variables = { HTTP_PROXY: proxied, http_proxy: proxied, ALL_PROXY: proxied, NO_PROXY: '', no_proxy: '' }
  const env = { ...process.env, ...variables, NODE_USE_ENV_PROXY: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
  expect(JSON.parse(stdout)).toEqual({ ok: true, status: 200 })
  expect([server.accepted(), proxy.accepted()]).toEqual([1, 0])
})
