import { connect } from 'node:net'
import { expect } from 'vitest'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Sends bytes as they are and reads one answer; null when the connection ended without one. `end` closes our side
 * after the bytes, as a client that died in the middle does.
 */
export function raw(url: string, bytes: string | Buffer, options: { end?: boolean; withinMs?: number } = {}) {
  const { hostname, port } = new URL(url)
  return new Promise<RawAnswer | null>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    let received = Buffer.alloc(0)
    const finish = (): void => {
      clearTimeout(late)
      socket.destroy()
      resolve(parsed(received))
    }
    const late = setTimeout(finish, options.withinMs ?? 10_000)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (complete(received)) finish()
    })
    socket.on('end', finish)
    // The server may refuse before all was sent; what it answered until then counts.
    socket.on('error', finish)
    socket.write(bytes)
    if (options.end) socket.end()
  })
}

/** A POST of these bytes as JSON. */
export function post(path: string, body: string | Buffer, headers: Record<string, string>): Buffer {
  const bytes = Buffer.from(body)
  const all = { host: 'localhost', 'content-type': 'application/json', 'content-length': bytes.length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes])
}

function complete(received: Buffer): boolean {
  const answer = parsed(received)
  return answer !== null && Buffer.byteLength(answer.body) >= Number(answer.headers['content-length'] ?? Number.NaN)
}

function parsed(received: Buffer): RawAnswer | null {
  const text = received.toString('utf8')
  const end = text.indexOf('\r\n\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  if (end < 0 || status === undefined) return null
  const headers: Record<string, string> = {}
  for (const line of text.slice(0, end).split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { status: Number(status), headers, body: text.slice(end + 4) }
}

/** Checks the shape that every error has (decisions 1.3) and returns its code. */
export function refusalOf(answer: RawAnswer): string {
  const { error } = JSON.parse(answer.body) as { error: Record<string, string> }
  expect(error).toMatchObject({
    message: expect.stringMatching(/./),
    type: answer.status >= 500 ? 'ERROR' : 'WARNING',
    code: expect.stringMatching(/^[a-z_]+$/),
    error_id: answer.headers['x-error-id'],
  })
  expect(answer.headers['x-error-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers['x-error']).toMatch(/^[\x20-\x7e]+$/)
  return error.code!
}
