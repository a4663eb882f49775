import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A device that reads lists over HTTP, one connection for each request under way. */

const agent = new Agent({ keepAlive: true })

export type Read = { status: number; bytes: number; etag: string; sequence: number; seconds: number }

async function request(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = await once(get(url, { agent, headers }), 'response')
  return answer as IncomingMessage
}

/** Reads an answer to its end and throws its bytes away. */
export async function read(url: string, headers: Record<string, string> = {}): Promise<Read> {
  const from = performance.now()
  const answer = await request(url, headers)
  let bytes = 0
  for await (const piece of answer) bytes += (piece as Buffer).length
  return {
    status: answer.statusCode!,
    bytes,
    etag: answer.headers.etag ?? '',
    sequence: Number(answer.headers['x-feed-sequence']),
    seconds: (performance.now() - from) / 1_000,
  }
}

/** Reads as a slow device does: `bytesASecond`, with the socket left unread between pieces. @returns the bytes read */
export async function readSlowly(url: string, headers: Record<string, string>, bytesASecond: number): Promise<number> {
  const from = performance.now()
  const answer = await request(url, headers)
  let bytes = 0
  for await (const piece of answer) {
    bytes += (piece as Buffer).length
    const early = (bytes / bytesASecond) * 1_000 - (performance.now() - from)
    if (early > 0) await sleep(early)
  }
  return bytes
}

/** Milliseconds of each of `count` requests, `connections` at once. */
export async function requestTimes(
  count: number,
  connections: number,
  url: string,
  headers: Record<string, string>,
  status: number,
): Promise<number[]> {
  const took: number[] = []
  const one = async (): Promise<void> => {
    while (took.length < count) {
      const answered = await read(url, headers)
      if (answered.status !== status) throw new Error(`${url} answered ${answered.status}, not ${status}`)
      took.push(answered.seconds * 1_000)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return took
}
