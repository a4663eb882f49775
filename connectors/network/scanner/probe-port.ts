import { request } from 'node:http'
import { connect, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { greetingIn, readable } from './facts/banner.ts'
import type { BannerFound, PortFound } from './facts/found.ts'
import { firstLine, happens, MAX_BYTES, within } from './stream-events.ts'
import { certificateOf, secureConnection } from './tls-certificate.ts'

// Which protocol a probe may speak to which port. Pure.

export type Service =
  /** The probe only listens. */
  | 'greets'
  | 'http'
  | 'https'
  /** TLS from the first byte; then the server greets. */
  | 'greets-securely'
  /** The probe listens first, then tries HTTPS and HTTP. */
  | 'unknown'

const HTTP = new Set([80, 591, 8000, 8008, 8080, 8081, 8088, 8888])
const HTTPS = new Set([443, 4443, 8443, 9443])
const SECURE = new Set([465, 563, 636, 853, 989, 990, 992, 993, 994, 995, 5223])

/**
 * Servers above port 1023 that might take a probe for one of their own requests: raw printers print whatever arrives.
 */
const OTHERS = new Set([1433, 1521, 2049, 3306, 3389, 5432, 5900, 6379, 9042, 11211, 27017])
const PRINTERS = { from: 9100, to: 9107 }

const FIRST_FREE_PORT = 1_024

/** A probe never sends anything to a port of another known protocol, whatever answers there. */
export function serviceOf(port: number): Service {
  if (HTTP.has(port)) return 'http'
  if (HTTPS.has(port)) return 'https'
  if (SECURE.has(port)) return 'greets-securely'
  const printer = port >= PRINTERS.from && port <= PRINTERS.to
  return port < FIRST_FREE_PORT || OTHERS.has(port) || printer ? 'greets' : 'unknown'
}

/**
 * The `Server` header of the response to `HEAD /` on an open connection. Undefined when there is none in time, when
 * the head is larger than 8 KiB, or when the response is not HTTP. A redirect counts as a response.
 */
const serverHeader = (
  stream: Duplex,
  host: string,
  ms: number,
  signal: AbortSignal,
): Promise<BannerFound | undefined> =>
  within<BannerFound | undefined>(
    ms,
    signal,
    () => undefined,
    (settle) => {
      const headers = { host: isIPv6(host) ? `[${host}]` : host, 'user-agent': 'harrier', connection: 'close' }
      const outgoing = request({
        createConnection: () => stream,
        method: 'HEAD',
        path: '/',
        headers,
        setHost: false,
        maxHeaderSize: MAX_BYTES,
      })
      outgoing.on('error', () => settle(undefined)).on('close', () => settle(undefined))
      outgoing.on('response', (response) => {
        const text = readable(String(response.headers.server ?? ''))
        settle(text === '' ? undefined : { kind: 'http-server', text })
        outgoing.destroy()
      })
      outgoing.end()
    },
  )

/** Opens a connection to a literal address: no name is resolved. */
export type ConnectToAddress = (address: string, port: number) => Socket

export type ProbeLimits = {
  connect: ConnectToAddress
  serviceOf: (port: number) => Service
  /** Timeout for establishing a connection. */
  connectMs: number
  /** Timeout for each expected message on an open connection. */
  answerMs: number
  /** Timeout for a greeting where none is expected. */
  unexpectedMs: number
}

export const PROBE_LIMITS: ProbeLimits = {
  connect: (address, port) => connect({ host: address, port }),
  serviceOf,
  connectMs: 3_000,
  answerMs: 3_000,
  unexpectedMs: 1_000,
}

/** `host`: the name that tells the server which site is meant; the address itself when there is no name. */
export type Endpoint = { address: string; host: string; port: number }

/** null: the port is closed, or the attempted protocol does not work there. */
type PortAnswer = Omit<PortFound, 'port'> | null

/** What an open port shows; null when it is not open. Never rejects because of the network or the remote side. */
export async function probePort(
  endpoint: Endpoint,
  limits: ProbeLimits,
  signal: AbortSignal,
): Promise<PortFound | null> {
  const { host, port } = endpoint
  const { answerMs, unexpectedMs: surpriseMs } = limits
  const over = (ask: (socket: Socket) => Promise<PortAnswer>): Promise<PortAnswer> =>
    onConnection(endpoint, limits, signal, ask)
  const listen = (ms: number) => over(async (socket) => ({ banner: greetingIn(await firstLine(socket, ms, signal)) }))
  const web = () => over(async (socket) => ({ banner: await serverHeader(socket, host, answerMs, signal) }))
  const secure = (greets: boolean) =>
    over(async (socket) => {
      const stream = await secureConnection(socket, host, answerMs, signal)
      if (stream === null) return {}
      const certificate = certificateOf(stream)
      const banner = greets
        ? greetingIn(await firstLine(stream, answerMs, signal))
        : await serverHeader(stream, host, answerMs, signal)
      stream.destroy()
      return { banner, certificate }
    })
  const unknown = async (): Promise<PortAnswer> => {
    const answer = await listen(surpriseMs)
    if (answer === null || answer.banner !== undefined) return answer
    const shown = await secure(false)
    return shown?.certificate === undefined ? ((await web()) ?? answer) : shown
  }
  const asking: Record<Service, () => Promise<PortAnswer>> = {
    greets: () => listen(answerMs),
    http: web,
    https: () => secure(false),
    'greets-securely': () => secure(true),
    unknown,
  }
  const answer = await asking[limits.serviceOf(port)]()
  return answer === null ? null : { port, ...answer }
}

/** The result of `ask` on a new connection, which is closed afterwards; null when no connection could be made. */
async function onConnection(
  { address, port }: Endpoint,
  { connect: open, connectMs }: ProbeLimits,
  signal: AbortSignal,
  ask: (socket: Socket) => Promise<PortAnswer>,
): Promise<PortAnswer> {
  if (signal.aborted) return null
  const socket = open(address, port)
  socket.on('error', () => undefined)
  try {
    if (await happens(socket, 'connect', connectMs, signal)) return await ask(socket)
    // A closed port refuses the connection; ECONNRESET means that a connection was established and reset before we
    // noticed.
    return (socket.errored as NodeJS.ErrnoException | null)?.code === 'ECONNRESET' ? {} : null
  } finally {
    socket.destroy()
  }
}
