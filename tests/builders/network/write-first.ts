import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends a request as most clients do: everything before it reads anything. Resolves once the connection is closed.
 * @param bytes head and body; the head asks for `connection: close`
 */
export async function writeFirst(url: string, bytes: Buffer): Promise<{ lines: number; last: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  let [lines, last] = [0, '']
  socket.on('data', (piece) => {
    for (const byte of piece) if (byte === 10) lines++
    last = (last + String(piece)).slice(-400)
  })
  const closed = once(socket, 'close')
  await new Promise((resolve) => socket.write(bytes, resolve))
  socket.resume()
  await closed
  return { lines, last }
}
