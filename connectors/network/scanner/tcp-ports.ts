import { connect, type Socket } from 'node:net'
import { greetingIn } from './facts/banner.ts'
import type { PortFound } from './facts/found.ts'
import { type Service, serviceOf } from './facts/services.ts'
import { serverHeader } from './http.ts'
import { certificateOf, secured } from './tls.ts'
import { firstLine, happens } from './within.ts'

/** Opens a connection to a literal address: no name is looked up. */
export type Connect = (address: string, port: number) => Socket

export type Manners = {
  connect: Connect
  serviceOf: (port: number) => Service
  /** For a connection to be made. */
  connectMs: number
  /** For each thing that is waited for on an open connection. */
  answerMs: number
  /** For a greeting where nothing says that there is one. */
  surpriseMs: number
}

export const MANNERS: Manners = {
  connect: (address, port) => connect({ host: address, port }),
  serviceOf,
  connectMs: 3_000,
  answerMs: 3_000,
  surpriseMs: 1_000,
}

/** `host`: for the server to know which of its sites is meant; the address itself when there is no name. */
export type Place = { address: string; host: string; port: number }

/** Null: the port is not open, or what was tried does not work there. */
type Said = Omit<PortFound, 'port'> | null

/** What an open port shows; null when it is not open. Never rejects because of the network or the other side. */
export async function probePort(place: Place, manners: Manners, signal: AbortSignal): Promise<PortFound | null> {
  const { host, port } = place
  const { answerMs, surpriseMs } = manners
  const over = (ask: (socket: Socket) => Promise<Said>): Promise<Said> => onConnection(place, manners, signal, ask)
  const listen = (ms: number) => over(async (socket) => ({ banner: greetingIn(await firstLine(socket, ms, signal)) }))
  const web = () => over(async (socket) => ({ banner: await serverHeader(socket, host, answerMs, signal) }))
  const secure = (greets: boolean) =>
    over(async (socket) => {
      const stream = await secured(socket, host, answerMs, signal)
      if (stream === null) return {}
      const certificate = certificateOf(stream)
      const banner = greets
        ? greetingIn(await firstLine(stream, answerMs, signal))
        : await serverHeader(stream, host, answerMs, signal)
      stream.destroy()
      return { banner, certificate }
    })
  const unknown = async (): Promise<Said> => {
    const said = await listen(surpriseMs)
    if (said === null || said.banner !== undefined) return said
    const shown = await secure(false)
    return shown?.certificate === undefined ? ((await web()) ?? said) : shown
  }
  const asking: Record<Service, () => Promise<Said>> = {
    greets: () => listen(answerMs),
    http: web,
    https: () => secure(false),
    'greets-securely': () => secure(true),
    unknown,
  }
  const said = await asking[manners.serviceOf(port)]()
  return said === null ? null : { port, ...said }
}

/** The outcome of `ask` on a new connection, which is closed afterwards; null when none could be made. */
async function onConnection(
  { address, port }: Place,
  { connect: open, connectMs }: Manners,
  signal: AbortSignal,
  ask: (socket: Socket) => Promise<Said>,
): Promise<Said> {
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
