import { connect, type Socket } from 'node:net'
import { greetingIn } from './facts/banner.ts'
import type { PortFound } from './facts/found.ts'
import { type Service, serviceOf } from './facts/services.ts'
import { serverHeader } from './server-header.ts'
import { firstLine, happens } from './stream-events.ts'
import { certificateOf, secureConnection } from './tls-certificate.ts'

/** Opens a connection to a literal address: no name is looked up. */
export type ConnectToAddress = (address: string, port: number) => Socket

export type ProbeLimits = {
  connect: ConnectToAddress
  serviceOf: (port: number) => Service
  /** For a connection to be made. */
  connectMs: number
  /** For each thing that is waited for on an open connection. */
  answerMs: number
  /** For a greeting where nothing says that there is one. */
  unexpectedMs: number
}

export const PROBE_LIMITS: ProbeLimits = {
  connect: (address, port) => connect({ host: address, port }),
  serviceOf,
  connectMs: 3_000,
  answerMs: 3_000,
  unexpectedMs: 1_000,
}

/** `host`: for the server to know which of its sites is meant; the address itself when there is no name. */
export type Endpoint = { address: string; host: string; port: number }

/** Null: the port is not open, or what was tried does not work there. */
type PortAnswer = Omit<PortFound, 'port'> | null

/** What an open port shows; null when it is not open. Never rejects because of the network or the other side. */
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
    const said = await listen(surpriseMs)
    if (said === null || said.banner !== undefined) return said
    const shown = await secure(false)
    return shown?.certificate === undefined ? ((await web()) ?? said) : shown
  }
  const asking: Record<Service, () => Promise<PortAnswer>> = {
    greets: () => listen(answerMs),
    http: web,
    https: () => secure(false),
    'greets-securely': () => secure(true),
    unknown,
  }
  const said = await asking[limits.serviceOf(port)]()
  return said === null ? null : { port, ...said }
}

/** The outcome of `ask` on a new connection, which is closed afterwards; null when none could be made. */
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
    // A closed port refuses; only a connection that was made is reset, here before we heard of it.
    return (socket.errored as NodeJS.ErrnoException | null)?.code === 'ECONNRESET' ? {} : null
  } finally {
    socket.destroy()
  }
}
