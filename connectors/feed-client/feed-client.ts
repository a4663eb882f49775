import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { EdgeChange, EdgeItem } from '../edge-list/port.ts'
import { Away, type Deltas, type FeedClient, Refused, type WholeList } from './port.ts'

/** How long nothing may come of an answer that is not waited for, in milliseconds. */
const SILENT_MS = 30_000
/** Deltas of one page, as many as the platform gives at once. */
const PAGE = 10_000
/** Items that are handed on together. */
const PORTION = 5_000
/** Longest line of a list, and longest answer that is read as a whole, in bytes. */
const LONGEST = 64 * 1024 * 1024

/** Who reads: a key pair, or a download token of the feed. */
export type FeedCredentials = { key: string; secret: string } | { token: string }

type Item = { id: string; type: string; value: string; reputation: number; accuracy: number; tags: string[] }
type Delta = Item & { seq: number; op: 'add' | 'update' | 'remove' }

/** What is kept of an item. @throws TypeError where it is none */
function itemOf({ type, value, reputation, accuracy, tags }: Item): EdgeItem {
  const isItem =
    typeof type === 'string' &&
    typeof value === 'string' &&
    Number.isInteger(reputation) &&
    Number.isInteger(accuracy) &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string')
  if (!isItem) throw new TypeError('not an item')
  return { type, value, reputation, accuracy, tags }
}

/** Asks a platform for one feed. Nothing else of it is asked. */
export function feedClient(
  platform: URL,
  feed: string,
  credentials: FeedCredentials,
  { silentMs = SILENT_MS }: { silentMs?: number } = {},
): FeedClient {
  const base = new URL(`api/feeds/v1/feeds/${encodeURIComponent(feed)}/`, platform.href.replace(/\/?$/, '/'))
  const headers =
    'token' in credentials
      ? { authorization: `Basic ${Buffer.from(`edge:${credentials.token}`).toString('base64')}` }
      : { 'api-key': credentials.key, 'api-secret': credentials.secret }

  /** @param waitSeconds of deltas, whose cursor may be too old; null: of a list */
  async function ask(path: string, signal: AbortSignal, waiting: number | null = null): Promise<IncomingMessage> {
    const waitSeconds = waiting ?? 0
    const mayBeGone = waiting !== null
    const url = new URL(path, base)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (url.protocol === 'https:' ? secure : plain)(url, {
        headers: { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'harrier-edge' },
        signal,
        timeout: silentMs + waitSeconds * 1_000,
      })
      sent.once('response', resolve)
      sent.once('timeout', () => sent.destroy(new Error(`no answer for ${silentMs / 1_000} s`)))
      // More than one may come.
      sent.on('error', reject)
      sent.end()
    }).catch((error: Error) => {
      throw signal.aborted ? signal.reason : new Away(`${base.origin}: ${error.message || 'cannot be reached'}`)
    })
    const status = response.statusCode!
    if (status === 200 || (status === 410 && mayBeGone)) return response
    response.resume()
    const said = `${base.origin} answers ${status}`
    if (status === 401 || status === 403 || status === 404) throw new Refused(`${said} for the feed ${feed}`)
    const seconds = Number(response.headers['retry-after'])
    throw new Away(said, Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null)
  }

  return {
    async whole(signal) {
      const response = await ask('items.ndjson', signal)
      const [items, sequence] = [numberIn(response, 'x-feed-items'), numberIn(response, 'x-feed-sequence')]
      const cursor = response.headers['x-feed-cursor']
      if (typeof cursor !== 'string' || cursor === '') throw without(response, 'x-feed-cursor')
      return { items, sequence, cursor, portions: portionsOf(response, signal) } satisfies WholeList
    },
    async deltas(cursor, waitSeconds, signal) {
      const query = new URLSearchParams({ from: cursor, limit: String(PAGE), wait: String(waitSeconds) })
      const response = await ask(`delta?${query}`, signal, waitSeconds)
      const text = await textOf(response, signal)
      return response.statusCode === 410 ? null : read(text)
    },
    async file(format, signal) {
      const response = await ask(`items.${encodeURIComponent(format)}`, signal)
      return { sequence: numberIn(response, 'x-feed-sequence'), bytes: unpacked(response, signal) }
    },
  }

  function read(text: string): Deltas {
    try {
      const { items, cursor, more } = JSON.parse(text) as { items: Delta[]; cursor: string; more: boolean }
      if (typeof cursor !== 'string' || !Array.isArray(items)) throw new TypeError('not a page of deltas')
      const changes = items.map((delta): EdgeChange => ({ item: itemOf(delta), gone: delta.op === 'remove' }))
      for (const [i, { seq }] of items.entries())
        if (seq !== items[0]!.seq + i) throw new RangeError(`a gap before the sequence ${seq}`)
      return { changes, first: items[0]?.seq ?? 0, last: items.at(-1)?.seq ?? 0, cursor, more: more === true }
    } catch (error) {
      throw new Away(`${base.origin} gives deltas that cannot be read: ${(error as Error).message}`)
    }
  }

  function numberIn(response: IncomingMessage, name: string): number {
    const given = response.headers[name]
    if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given)
    throw without(response, name)
  }

  /** Nobody reads the rest of such an answer. */
  function without(response: IncomingMessage, name: string): Away {
    response.destroy()
    return new Away(`${base.origin} gives the list without ${name}`)
  }

  /** The bytes of an answer. @throws Away when they end early */
  async function* unpacked(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
    const isPacked = response.headers['content-encoding'] === 'gzip'
    // Whichever of the two fails, the other ends as well; what failed is thrown below.
    const bytes: AsyncIterable<Buffer> = isPacked ? pipeline(response, createGunzip(), () => undefined) : response
    try {
      for await (const piece of bytes) yield piece
      if (!response.complete) throw new Error('the answer was cut')
    } catch (error) {
      signal.throwIfAborted()
      throw new Away(`${base.origin}: ${(error as Error).message}`)
    }
  }

  async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of unpacked(response, signal)) {
      bytes += piece.length
      if (bytes > LONGEST) throw new Away(`${base.origin} answers with more than ${LONGEST} bytes`)
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString()
  }

  async function* portionsOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<EdgeItem[]> {
    let portion: EdgeItem[] = []
    for await (const line of linesOf(unpacked(response, signal))) {
      portion.push(readItem(line))
      if (portion.length < PORTION) continue
      yield portion
      portion = []
    }
    if (portion.length > 0) yield portion
  }
}

function readItem(line: string): EdgeItem {
  try {
    return itemOf(JSON.parse(line) as Item)
  } catch {
    throw new Away('a line of the list is not an item')
  }
}

/** Lines with something in them. The last one ends as the others do, or was cut. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    if (rest.length > LONGEST) throw new Away('a line of the list is too long')
    const end = rest.lastIndexOf(0x0a)
    if (end < 0) continue
    for (const line of rest.subarray(0, end).toString().split('\n')) if (line !== '') yield line
    rest = rest.subarray(end + 1)
  }
  if (rest.length > 0) throw new Away('the list was cut within a line')
}
