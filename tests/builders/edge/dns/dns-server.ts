import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { DnsResponder } from '../../../../edge/protocols/dns/responder.ts'
import { dnsTcpSession } from '../../../../edge/protocols/dns/tcp-session.ts'

/** A responder at a port of loopback, over UDP and TCP, for programs that ask by the network. */

export type DnsServer = {
  port: number
  /** Queries so far, as they came. */
  asked: { packet: Buffer; over: 'udp' | 'tcp' }[]
  close(): Promise<void>
}

const ATTEMPTS = 20
const MOST = 10

/** Starts one. @throws Error when no port is free for both */
export async function dnsServer(responder: DnsResponder): Promise<DnsServer> {
  const asked: DnsServer['asked'] = []
  const noted: DnsResponder = {
    answer(packet, over) {
      asked.push({ packet, over })
      return responder.answer(packet, over)
    },
  }
  const sockets = new Set<Socket>()
  for (let i = 0; i < ATTEMPTS; i++) {
    const udp = overUdp(noted)
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const { port } = udp.address()
    const tcp = overTcp(noted, sockets)
    const listening = await listens(tcp, port)
    const close = async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      if (listening) await new Promise((resolve) => tcp.close(resolve))
      await new Promise<void>((resolve) => udp.close(resolve))
    }
    if (listening) return { port: (tcp.address() as AddressInfo).port, asked, close }
    await close()
  }
  throw new Error('no port is free for UDP and TCP')
}

function overUdp(responder: DnsResponder): UdpSocket {
  const udp = createSocket('udp4')
  udp.on('message', (packet, { port, address }) => {
    const answer = responder.answer(packet, 'udp')
    if (answer !== null) udp.send(answer, port, address)
  })
  return udp
}

function overTcp(responder: DnsResponder, sockets: Set<Socket>): Server {
  return createServer((socket) => {
    sockets.add(socket)
    const session = dnsTcpSession(responder)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (piece) => {
      session.push(piece)
      for (let more = true; more; ) {
        const answered = session.answer(MOST)
        more = answered.more
        socket.write(answered.bytes)
        if (answered.end) socket.end()
      }
    })
  })
}

const listens = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
