import { request } from 'node:http'
import { connect, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { greetingIn, readable } from './facts/banner.ts'
import type { BannerFound, PortFound } from './facts/found.ts'
import { type Service, serviceOf } from './facts/services.ts'
import { firstLine, happens, MAX_BYTES, within } from './stream-events.ts'
import { certificateOf, secureConnection } from './tls-certificate.ts'

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
