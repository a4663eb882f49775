import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Session } from '../../../edge/protocols/session.ts'

/** A port of a protocol, as clients see it. */
export type Served = {
  port: number
  /** Connections since the start. */
  connections(): number
  close(): Promise<void>
}

/** Requests of a round. */
const MOST = 512

/** Gives every connection a session of its own. Without the bounds of a real server: those are its own tests. */
export async function served(open: () => Session): Promise<Served> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    const session = open()
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      session.push(bytes)
      for (let more = true; more; ) {
        const answer = session.answer(MOST)
        if (answer.bytes.length > 0) socket.write(answer.bytes)
        if (answer.end) return void socket.end()
        more = answer.more
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
