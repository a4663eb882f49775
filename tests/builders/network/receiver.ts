/** Receivers of requests on loopback, which keep what they got. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createPlain, type Socket } from 'node:net'

export type Received = {
  path: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
  at: number
}

export type Receiver = {
  url: string
  port: number
  /** Connections that were accepted. */
  accepted(): number
  received: Received[]
  close(): Promise<void>
}

/** An HTTP receiver; `answer` is told the number of the request, from 1. */
export async function receiver(
  answer: (response: ServerResponse, n: number, request: Received) => void,
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  let accepted = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, rawHeaders } = request
      const got = { path: request.url!, headers, rawHeaders, body: Buffer.concat(chunks), at: Date.now() }
      answer(response, received.push(got), got)
    })
  })
  server.on('connection', () => accepted++)
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    port,
    accepted: () => accepted,
    received,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A listener that does with a connection what it wants. */
export async function listener(onSocket: (socket: Socket) => void) {
  let accepted = 0
  const open = new Set<Socket>()
  const server = createPlain((socket) => {
    accepted++
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}
