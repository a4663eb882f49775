import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { watchClient } from '../../../../../api/http/sockets/accept.ts'

const LATER = { timeout: 60_000, interval: 10 }
const QUICK = { askMs: 20, answerMs: 60 }
/** Asks nothing while a test lasts. */
const NEVER = { askMs: 3_600_000, answerMs: 3_600_000 }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A watched socket of loopback and its client. */
async function pair(watch: Parameters<typeof watchClient>[1], options: object = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  ends.push(() => server.close())
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options)
  ends.push(() => client.terminate())
  const closed = new Promise<number>((resolve) => void client.on('close', resolve))
  const pinged = vi.fn()
  client.on('ping', pinged)
  const [watched] = (await connected) as [WebSocket]
  ends.push(watchClient(watched, watch))
  return { client, watched, closed, pinged }
}

test('a client that answers stays, however often it is asked', async () => {
  const { watched, pinged } = await pair(QUICK)
  await vi.waitFor(() => expect(pinged.mock.calls.length).toBeGreaterThan(20), LATER)
  expect(watched.readyState).toBe(WebSocket.OPEN)
})

test('a client that does not answer is cut off after it was asked several times', async () => {
  const { closed, pinged } = await pair(QUICK, { autoPong: false })
  expect(await closed).toBe(1006)
  expect(pinged.mock.calls.length).toBe(3)
})

test('a client that answers late is asked on', async () => {
  const { client, watched, pinged } = await pair(QUICK, { autoPong: false })
  let asked = 0
  client.on('ping', () => {
    if (++asked % 2 === 0) client.pong()
  })
  await vi.waitFor(() => expect(pinged.mock.calls.length).toBeGreaterThan(20), LATER)
  expect(watched.readyState).toBe(WebSocket.OPEN)
})

for (const [kind, send] of Object.entries({
  texts: (client: WebSocket) => client.send('hello'),
  'binary messages': (client: WebSocket) => client.send(Buffer.from('hello')),
  pings: (client: WebSocket) => client.ping(),
  'answers without a question': (client: WebSocket) => client.pong(),
})) {
  test(`${kind} of a client are ignored, and too many of them close its socket`, async () => {
    const { client, closed, watched } = await pair(NEVER)
    await once(client, 'open')
    const arrived = vi.fn()
    for (const event of ['message', 'ping', 'pong']) watched.on(event, arrived)
    for (let n = 0; n < 32; n++) send(client)
    await vi.waitFor(() => expect(arrived).toHaveBeenCalledTimes(32), LATER)
    expect(watched.readyState).toBe(WebSocket.OPEN)
    send(client)
    expect(await closed).toBe(1008)
  })
}

test('a client that says a little now and then is never closed', async () => {
  const { client, watched, pinged } = await pair(QUICK)
  client.on('ping', () => client.send('still here'))
  await vi.waitFor(() => expect(pinged.mock.calls.length).toBeGreaterThan(40), LATER)
  expect(watched.readyState).toBe(WebSocket.OPEN)
})
