/** The API on a socket: limits of connections, and a shutdown that answers every accepted request. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type Koa from 'koa'
import { plain } from './addresses/client-ip.ts'
import { knownBlock } from './addresses/known-addresses.ts'
import { ownTime } from './bodies/own-time.ts'
import { ApiError, errorBody, headerSafe } from './errors.ts'
import { answerHandshake } from './sockets/handshake.ts'

// Connections of one network: nobody takes all that a process has (ADR 254).

/**
 * From the moment of this call, hands connections of an address, or of a /64 of IPv6, beyond `most` open ones to `refuse`.
 * Not for a server behind proxies of ours: all connections come from them.
 * @returns whether a connection was refused: what it asks all the same must not be acted upon
 */
function boundConnections(server: Server, most: number, refuse: (socket: Socket) => void): (socket: Socket) => boolean {
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

/** What is served. */
export type Served = {
  app: Koa
  /** Which requests are handshakes; without it none is. The application answers them like all others. */
  isHandshake?: (request: IncomingMessage) => boolean
  /** Ends the answers that go on by themselves: streams and sockets. Never rejects. */
  stop?: () => Promise<void>
}

export type ListenOptions = {
  host: string
  port: number
  /** Open connections of one address, or /64 of IPv6; more are refused. Without it only those of all are bounded. */
  connectionsPerAddress?: number
  /** Others than the usual ones, for tests. */
  limits?: Partial<typeof LIMITS>
}

export type RunningServer = {
  /** `http://127.0.0.1:8080`; the port that the system chose when `port` is 0. */
  url: string
  /**
   * Accepts new connections for `acceptMs`, for one request each, then nothing more: from then on every answer says that
   * it is the last of its connection, and streams and sockets end. Resolves when every accepted request was answered, or
   * `graceMs` after that at the latest.
   */
  stop(graceMs: number, acceptMs?: number): Promise<void>
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Milliseconds for the head of a request, and for the whole of one. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  /** How often the two above are looked after. */
  connectionsCheckingInterval: 5_000,
}

const MAX_CONNECTIONS = 10_000
const TOO_MANY = 'too many connections are open from your network; close some, or use them again'
/** How long a connection may be idle at the end: longer than a request is under way. */
const LINGER_MS = 500
/** A listener that closes resets what it has not accepted yet: it closes after so long without a new connection. */
const QUIET_MS = 20
/** The quiet moment is waited for so many times. */
const QUIET_TRIES = 20

/** Rejects with what to do about it when the address cannot be taken. */
export async function listen(
  served: Served,
  { host, port, connectionsPerAddress, limits }: ListenOptions,
): Promise<RunningServer> {
  const answerAll = served.app.callback()
  let isRefused = (_: Socket): boolean => false
  const answer = (request: IncomingMessage, response: ServerResponse): unknown =>
    isRefused(request.socket) ? request.socket.destroy() : answerAll(request, response)
  const shouldUpgradeCallback = served.isHandshake ?? (() => false)
  const server = createServer({ ...LIMITS, ...limits, shouldUpgradeCallback }, answer)
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = 0
  if (connectionsPerAddress !== undefined)
    isRefused = boundConnections(server, connectionsPerAddress, (socket) =>
      answerPlainly(socket, new ApiError('rate_limited', { message: TOO_MANY })),
    )
  server.on('clientError', refuse)
  const taken = new Set<Socket>()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    taken.add(socket)
    socket.on('close', () => taken.delete(socket))
    answerHandshake(answer, request, { socket, head })
  })
  let state: 'open' | 'ending' | 'closed' = 'open'
  // A client that must close its connection opens another one at once. So connections from before the shutdown stay until
  // the listener has closed.
  const late = new WeakSet<Socket>()
  server.on('connection', (socket) => {
    if (state === 'ending') late.add(socket)
  })
  server.prependListener('request', (request, response) => {
    if (state === 'closed' || late.has(request.socket)) response.setHeader('connection', 'close')
  })
  await bindSocket(server, host, port)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async stop(graceMs, acceptMs = 0) {
      state = 'ending'
      if (acceptMs > 0) await acceptUntilQuiet(server, acceptMs)
      state = 'closed'
      await drainConnections(server, taken, graceMs, served.stop)
    },
  }
}

function bindSocket(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })
}

function explainListenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use; stop the process that listens there, or set PORT`,
    EACCES: `port ${port} requires privileges that this process lacks; set PORT to 1024 or higher`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; set HOST`,
    ENOTFOUND: `${host} is not a known host; set HOST`,
  }
  return new Error(reasons[cause.code ?? ''] ?? `cannot listen on ${host}:${port}: ${cause.message}`, { cause })
}

/** Accepts for `acceptMs`, so that clients see `/readyz` fail before connections are refused, then until none comes. */
async function acceptUntilQuiet(server: Server, acceptMs: number): Promise<void> {
  await sleep(acceptMs)
  let accepted = true
  const note = (): void => {
    accepted = true
  }
  server.on('connection', note)
  for (let tries = 0; accepted && tries < QUIET_TRIES; tries++) {
    accepted = false
    await sleep(QUIET_MS)
  }
  server.off('connection', note)
}

/**
 * Stops listening; closes idle connections, and after `graceMs` all of them. An idle connection stays open for a moment
 * first: a request may be on its way, and is answered as the last one instead of meeting a reset. Streams and sockets end
 * once nothing is accepted any more: their clients come back at once, and are to find another process.
 * @param taken connections of sockets, which the HTTP server does not know
 */
async function drainConnections(
  server: Server,
  taken: ReadonlySet<Socket>,
  graceMs: number,
  stopStreams: Served['stop'],
): Promise<void> {
  // The close of an HTTP server would close what is idle at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  const end = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of taken) socket.destroy()
  }, graceMs)
  let sweep: NodeJS.Timeout | undefined
  const linger = setTimeout(
    () => {
      server.closeIdleConnections()
      sweep = setInterval(() => server.closeIdleConnections(), 50)
    },
    Math.min(LINGER_MS, graceMs),
  )
  await Promise.all([closed, stopStreams?.()])
  for (const timer of [linger, sweep, end]) clearTimeout(timer)
}

/** Bytes that are no HTTP never reach the application: they get the same kind of answer, and the connection ends. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && ownTime.has(socket)) return
  // Browsers open connections ahead: an answer to one that has asked nothing yet would be taken for that of its first request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy()
  // Half of an answer may be on its way already; a second head inside of it would be taken for its body.
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent
  if (error.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy()
    return
  }
  answerPlainly(socket, new ApiError('malformed_request'))
}

/** An error as the answer to whatever was or will be sent, and the end of the connection. */
function answerPlainly(socket: Socket, error: ApiError): void {
  const id = randomUUID()
  const body = JSON.stringify(errorBody(error, id))
  socket.on('error', () => undefined)
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-error: ${headerSafe(error.message)}`,
      `x-error-id: ${id}`,
      'cache-control: no-store',
      '',
      body,
    ].join('\r\n'),
  )
}
