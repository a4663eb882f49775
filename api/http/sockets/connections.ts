/** Connections of one network: nobody takes all that a process has (ADR 254). */

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { plain } from '../addresses/client-ip.ts'
import { knownBlock } from '../addresses/known-addresses.ts'

/**
 * From the moment of this call, hands connections of an address, or of a /64 of IPv6, beyond `most` open ones to `refuse`.
 * Not for a server behind proxies of ours: all connections come from them.
 * @returns whether a connection was refused: what it asks all the same must not be acted upon
 */
export function boundConnections(
  server: Server,
  most: number,
  refuse: (socket: Socket) => void,
): (socket: Socket) => boolean {
  const open = new Map<string, number>()
  const refused = new WeakSet<Socket>()
  server.prependListener('connection', (socket: Socket) => {
    const block = knownBlock(plain(socket.remoteAddress ?? ''))
    const count = (open.get(block) ?? 0) + 1
    open.set(block, count)
    socket.once('close', () => {
      const left = open.get(block)! - 1
      if (left === 0) open.delete(block)
      else open.set(block, left)
    })
    if (count <= most) return
    refused.add(socket)
    refuse(socket)
  })
  return (socket) => refused.has(socket)
}
