import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** Of what comes after the head, the last characters are kept. */
const TAIL = 4_096

/** A client that reads the head of its answer and then nothing, until it is told to. */
export type SilentClient = {
  /** 0: the connection ended without an answer. */
  status: number
  /** Lines of the answer down to the empty one, in lower case. */
  head: string
  /** Reads on until the connection is over; resolves with the last of it. */
  readOn(): Promise<string>
  /** Ends the connection at once. */
  leave(): void
}

/** Asks for `path` over a connection of its own; with `upgrade` as a WebSocket. */
export function silentClient(
  url: string,
  path: string,
  { headers = {}, upgrade = false }: { headers?: Record<string, string>; upgrade?: boolean } = {},
): Promise<SilentClient> {
  const { hostname, port, host } = new URL(url)
  const handshake = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  const fields = Object.entries({ host, ...(upgrade && handshake), ...headers })
  const socket = connect(Number(port), hostname)
  let text = ''
  return new Promise((resolve) => {
    const answered = (status: number): void => {
      const head = text.split('\r\n\r\n', 1)[0]!.toLowerCase()
      resolve({ status, head, readOn, leave: () => void socket.destroy() })
    }
    const readHead = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      socket.off('data', readHead).pause()
      answered(Number(text.split(' ', 2)[1]))
    }
    const readOn = (): Promise<string> => {
      const over = new Promise<string>((over) => socket.on('close', () => over(text)))
      socket.on('data', (chunk: Buffer) => (text = (text + chunk.toString('latin1')).slice(-TAIL)))
      socket.resume()
      return socket.destroyed ? Promise.resolve(text) : over
    }
    socket.on('error', () => undefined)
    socket.on('close', () => answered(0))
    socket.on('data', readHead)
    socket.write(`GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  })
}
