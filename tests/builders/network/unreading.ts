/** Clients that ask and do not read: each takes the head of its answer, and nothing behind it until it is told to. */

import { connect, type Socket } from 'node:net'

export type Unreading = {
  /** Of the answer; null: the connection ended without one. */
  status: number | null
  headers: Record<string, string>
  /** Reads from now on; resolves to the text behind the head when the connection is over. */
  readOn(): Promise<string>
  leave(): void
}

const HEAD_MS = 60_000

/** Sends a GET and stops reading with the head of its answer. */
export function unreading(url: string, path: string, headers: Record<string, string>): Promise<Unreading> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    let received = ''
    const late = setTimeout(() => socket.destroy(), HEAD_MS)
    const answered = (): void => {
      clearTimeout(late)
      socket.off('data', read)
      socket.pause()
      const [head = '', ...rest] = received.split('\r\n\r\n')
      resolve({
        ...headOf(head),
        readOn: () => readRest(socket, rest.join('\r\n\r\n'), closed),
        leave: () => socket.destroy(),
      })
    }
    const read = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      if (received.includes('\r\n\r\n')) answered()
    }
    socket.on('data', read)
    socket.on('error', () => undefined)
    void closed.then(() => answered())
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}

async function readRest(socket: Socket, began: string, closed: Promise<void>): Promise<string> {
  const parts = [began]
  socket.on('data', (chunk: Buffer) => parts.push(chunk.toString('latin1'))).resume()
  await closed
  return parts.join('')
}

function headOf(head: string): Pick<Unreading, 'status' | 'headers'> {
  const [first = '', ...lines] = head.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { status: status === undefined ? null : Number(status), headers }
}
