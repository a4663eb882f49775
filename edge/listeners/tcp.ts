import { createServer, type Socket } from 'node:net'
import type { Session, SessionAnswer } from '../protocols/session.ts'
import type { Allowed } from './allowed.ts'
import type { Listener, Place } from './listener.ts'

/** Connections of one listener. */
const MOST_CONNECTIONS = 10_000
/** Bytes of answers that nobody has read: then the connection is not read, and none of its requests is answered. */
const MOST_UNREAD = 1024 * 1024
/** A client that reads nothing for so long is left, in milliseconds. */
const UNREAD_MS = 60_000
/** Requests that one connection is answered before others have their turn. */
const ROUND = 256

/** Bounds, for tests. */
export type TcpOptions = { unreadMs?: number; connections?: number }

/**
 * Serves a protocol over TCP (decisions 19.5): requests of a connection are answered in order and in rounds, so that one
 * that sends very many holds up no other.
 * @param session of one connection
 */
export async function listenTcp(
  place: Place,
  session: () => Session,
  allowed: Allowed,
  { unreadMs = UNREAD_MS, connections = MOST_CONNECTIONS }: TcpOptions = {},
): Promise<Listener> {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true, keepAlive: true, allowHalfOpen: true }, (socket) => {
    if (!allowed(socket.remoteAddress)) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serve(socket, session(), unreadMs)
  })
  server.maxConnections = connections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, resolve)
  })
  // One connection that could not be taken in: the others stay.
  server.on('error', () => undefined)
  return {
    port: (server.address() as { port: number }).port,
    connections: () => open.size,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** null: the list cannot be read, as when its disk fails. A connection that is cut says less than a miss. */
function answerOf(session: Session): SessionAnswer | null {
  try {
    return session.answer(ROUND)
  } catch {
    return null
  }
}

function serve(socket: Socket, session: Session, unreadMs: number): void {
  let waiting = false
  let full = false
  /** The client sends no more, and reads what it has asked for. */
  let ended = false
  let late: NodeJS.Timeout | undefined

  function answer(): void {
    waiting = false
    if (full || socket.destroyed) return
    const answered = answerOf(session)
    if (answered === null) return void socket.destroy()
    const { bytes, more, end } = answered
    if (bytes.length > 0) socket.write(bytes)
    if (end) {
      leave()
      return
    }
    full = socket.writableLength > MOST_UNREAD
    if (full) {
      socket.pause()
      late = setTimeout(() => socket.destroy(), unreadMs).unref()
    } else if (more) later()
    else if (ended) leave()
    else if (socket.isPaused()) socket.resume()
  }

  /** What is read meanwhile would be kept: it is read once what there is has been answered. */
  function later(): void {
    socket.pause()
    if (waiting) return
    waiting = true
    setImmediate(answer)
  }

  function leave(): void {
    full = true
    // Whatever it sends from now on is no request.
    socket.removeAllListeners('data')
    socket.resume()
    socket.end()
    clearTimeout(late)
    late = setTimeout(() => socket.destroy(), unreadMs).unref()
  }

  socket.on('data', (bytes) => {
    session.push(bytes as Buffer)
    if (waiting) return
    answer()
  })
  socket.on('end', () => {
    ended = true
    if (!waiting) answer()
  })
  socket.on('drain', () => {
    if (!full || socket.writableEnded) return
    clearTimeout(late)
    full = false
    later()
  })
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(late))
}
