import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import { afterEach, expect, test, vi } from 'vitest'
import { listen, type RunningServer } from '../../../../api/http/server.ts'
import { raw } from '../../../builders/network/raw-http.ts'

const running: RunningServer[] = []
const start = async (app = new Koa(), port = 0) => {
  const server = await listen({ app }, { host: '127.0.0.1', port })
  running.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop(0)))
})

const portOf = (server: RunningServer) => Number(new URL(server.url).port)

/** An app whose answers wait to be let go. */
function slow() {
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
  const app = new Koa().use(async (ctx) => {
    begin()
    await release
    ctx.body = { done: true }
  })
  return { app, started, letGo }
}

test('one address has a bound of open connections; whoever closes one has it again', async () => {
  let asked = 0
  const app = new Koa().use((ctx) => {
    asked++
    ctx.body = 'ok'
  })
  const server = await listen({ app }, { host: '127.0.0.1', port: 0, connectionsPerAddress: 3 })
  running.push(server)
  const opened = async () => {
    const socket = connect(portOf(server), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const held = [await opened(), await opened(), await opened()]
  // What it asks all the same is not acted upon.
  const refused = await opened()
  refused.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  const [answer] = (await once(refused, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(
    /^HTTP\/1\.1 429 Too Many Requests\r\n[\s\S]*too many connections are open from your network/,
  )
  await once(refused, 'close')
  expect(asked).toBe(0)
  held[0]!.destroy()
  await vi.waitFor(async () => expect(await (await fetch(server.url)).text()).toBe('ok'))
  for (const socket of held) socket.destroy()
})

test('a port in use is an error that says so', async () => {
  const port = portOf(await start())
  await expect(start(new Koa(), port)).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`)
})

test('an address of another machine is an error that names HOST', async () => {
  await expect(listen({ app: new Koa() }, { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine',
  )
})

test('a stop answers what was accepted, keeps no connection, and takes nothing new', async () => {
  const { app, started, letGo } = slow()
  const server = await start(app)
  const accepted = fetch(server.url)
  await started
  const stopped = server.stop(5_000)
  await expect(fetch(server.url)).rejects.toThrow()
  const began = performance.now()
  letGo()
  expect(await (await accepted).json()).toEqual({ done: true })
  await stopped
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('a connection that is busy when the stop begins is told that its answer is the last', async () => {
  const { app, started, letGo } = slow()
  const server = await start(app)
  const socket = connect(portOf(server), '127.0.0.1')
  await once(socket, 'connect')
  let seen = ''
  socket.on('data', (chunk) => {
    seen += chunk
  })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await started
  const stopped = server.stop(5_000)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  letGo()
  await Promise.all([once(socket, 'close'), stopped])
  expect(seen.match(/HTTP\/1\.1 200 OK/g)!.length).toBeGreaterThanOrEqual(1)
})

test('a request that was under way on an idle connection when the stop began is answered as its last', async () => {
  const { app, letGo } = slow()
  letGo()
  const server = await start(app)
  const socket = connect(portOf(server), '127.0.0.1')
  let seen = ''
  socket.on('data', (chunk) => {
    seen += chunk
  })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  const stopped = server.stop(5_000)
  setTimeout(() => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'), 50)
  await Promise.all([once(socket, 'close'), stopped])
  expect(seen.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(seen.toLowerCase()).toContain('connection: close')
})

test('connections that come just after a stop began are accepted and answered, each with its last answer', async () => {
  const { app, letGo } = slow()
  letGo()
  const server = await start(app)
  const stopped = server.stop(5_000, 500)
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      await sleep(i * 5)
      return raw(server.url, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    }),
  )
  expect(answers.map((answer) => answer && [answer.status, answer.headers.connection])).toEqual(
    Array(30).fill([200, 'close']),
  )
  await stopped
  await expect(fetch(server.url)).rejects.toThrow()
})

test('a connection that was kept stays while new ones are accepted, and its next answer is then its last', async () => {
  const { app, letGo } = slow()
  letGo()
  const server = await start(app)
  const socket = connect(portOf(server), '127.0.0.1')
  let seen = ''
  socket.on('data', (chunk) => {
    seen += chunk
  })
  const answer = async (): Promise<string> => {
    seen = ''
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    return seen.toLowerCase()
  }
  expect(await answer()).toContain('connection: keep-alive')
  const stopped = server.stop(5_000, 300)
  expect(await answer()).toContain('connection: keep-alive')
  await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow(), 5_000)
  expect(await answer()).toContain('connection: close')
  await stopped
})

test('a request that never ends does not hold up a stop for longer than its grace', async () => {
  const { app, started } = slow()
  const server = await start(app)
  const accepted = fetch(server.url)
  accepted.catch(() => undefined)
  await started
  const began = performance.now()
  await server.stop(200)
  expect(performance.now() - began).toBeLessThan(2_000)
  await expect(accepted).rejects.toThrow()
})

for (const [name, bytes] of [
  ['garbage', '\x00\x01\x02\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
  ['a length and chunks', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
  ['headers beyond bounds', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`],
]) {
  test(`${name} on the wire is a plain 400 of the declared shape, and the connection ends`, async () => {
    const server = await start(new Koa())
    const socket = connect(portOf(server), '127.0.0.1')
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.write(bytes!)
    await once(socket, 'end')
    const [head, body] = seen.split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 400')
    const { error } = JSON.parse(body!) as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'malformed_request', type: 'WARNING' })
    expect(head).toContain(`x-error-id: ${error.error_id}`)
  })
}
