import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A device that reads lists over HTTP, one connection for each request under way. */

const agent = new Agent({ keepAlive: true })

export type Read = { bytes: number; etag: string; sequence: number; seconds: number }

/** Throws for another status: a refusal is quick, and is not to be taken for an answer. */
async function request(url: string, headers: Record<string, string>, ...statuses: number[]): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  if (statuses.includes(answer.statusCode!)) return answer
  answer.resume()
  throw new Error(`${url} answered ${answer.statusCode}, not ${statuses.join(' or ')}`)
}

/** Reads an answer to its end and throws its bytes away. */
export async function read(
  url: string,
  headers: Record<string, string> = {},
  ...statuses: [number, ...number[]] | []
): Promise<Read> {
  const from = performance.now()
  const answer = await request(url, headers, ...(statuses.length === 0 ? [200] : statuses))
  let bytes = 0
  for await (const piece of answer) bytes += (piece as Buffer).length
  return {
    bytes,
    etag: answer.headers.etag ?? '',
    sequence: Number(answer.headers['x-feed-sequence']),
    seconds: (performance.now() - from) / 1_000,
  }
}

/** Reads as a slow device does: `bytesASecond`, with the socket left unread between pieces. */
export async function readSlowly(url: string, headers: Record<string, string>, bytesASecond: number): Promise<void> {
  const from = performance.now()
  let bytes = 0
  for await (const piece of await request(url, headers, 200)) {
    bytes += (piece as Buffer).length
    const early = (bytes / bytesASecond) * 1_000 - (performance.now() - from)
    if (early > 0) await sleep(early)
  }
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
    while (took.length < count) took.push((await read(url, headers, status)).seconds * 1_000)
  }
  await Promise.all(Array.from({ length: connections }, one))
  return took
}
