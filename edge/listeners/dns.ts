import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Session } from '../protocols/session.ts'
import type { Allowed } from './allowed.ts'
import type { Listener, Place } from './listener.ts'
import { listenTcp } from './tcp.ts'

/** Answers one message; null: nothing is sent. */
export type Responder = { answer(packet: Buffer, over: 'udp' | 'tcp'): Buffer | null }

/** Tries to have one free port for both, where any will do. */
const TRIES = 10
/** Of what the system keeps for the process, in bytes: a resolver that starts asks thousands at once. */
const RECEIVED = 4 * 1024 * 1024

/** Serves a zone over UDP and TCP at one port (decisions 19.2). */
export async function listenDns(
  place: Place,
  responder: Responder,
  session: () => Session,
  allowed: Allowed,
): Promise<Listener> {
  for (let tries = 1; ; tries++) {
    const tcp = await listenTcp(place, session, allowed)
    try {
      const udp = await listenUdp({ ...place, port: tcp.port }, responder, allowed)
      return {
        port: tcp.port,
        connections: tcp.connections,
        async close() {
          await Promise.all([udp.close(), tcp.close()])
        },
      }
    } catch (error) {
      await tcp.close()
      if (place.port !== 0 || tries === TRIES) throw error
    }
  }
}

async function listenUdp({ host, port }: Place, responder: Responder, allowed: Allowed) {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' })
  socket.on('message', (packet, { address, port: to }) => {
    if (!allowed(address)) return
    const answer = responder.answer(packet, 'udp')
    // Who asked may be gone, and asks again if not.
    if (answer !== null) socket.send(answer, to, address, () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: host, port }, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  socket.on('error', () => undefined)
  try {
    socket.setRecvBufferSize(RECEIVED)
  } catch {
    // The system allows less.
  }
  return { close: () => new Promise<void>((resolve) => socket.close(() => resolve())) }
}
