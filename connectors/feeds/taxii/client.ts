import type { IncomingHttpHeaders } from 'node:http'
import { limitBytes, MAX_REDIRECTS, namesLoopback, requestChecked, shownUrl } from '../feed-url.ts'
import { writtenDate } from '../parse/stix/written-date.ts'
import { unpack } from '../unpack.ts'
import type { TaxiiAccess } from './access.ts'
import { type PagePlace, type TaxiiCollection, TaxiiFault, type TaxiiPage } from './port.ts'

const MAX_NEXT = 4_096

/**
 * What a server answered with 200 as a page. The objects are what counts: a header of dates that cannot be read is noted, and
 * what is written a little beside the standard is read (ADR 256).
 * @throws TaxiiFault that says what is wrong with it
 */
function pageOf(name: string, headers: IncomingHttpHeaders, body: Buffer): TaxiiPage {
  const type = headers['content-type'] ?? ''
  const foreign = new TaxiiFault(
    `${name}: expected application/taxii+json;version=2.1, the server answered "${shown(type)}"`,
  )
  if (!isTaxii(type) && !isOtherJson(type)) throw foreign
  const envelope = jsonOf(name, body)
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope))
    throw new TaxiiFault(`${name}: expected an envelope {"objects": [...]}`)
  const { objects, more, next } = envelope as Record<string, unknown>
  // Any JSON may be an object without "objects": only TAXII says by its type that this is an empty page.
  if (!isTaxii(type) && !Array.isArray(objects)) throw foreign
  if (!Array.isArray(objects ?? [])) throw new TaxiiFault(`${name}: "objects" is not a list`)
  const isMore = truthOf(more ?? false)
  if (isMore === undefined) throw new TaxiiFault(`${name}: "more" is neither true nor false`)
  const following = typeof next === 'number' ? String(next) : (next ?? '')
  if (typeof following !== 'string' || following.length > MAX_NEXT)
    throw new TaxiiFault(`${name}: "next" is not a text of 1 to ${MAX_NEXT} characters`)
  const [first, last] = [dateOf(headers, 'First'), dateOf(headers, 'Last')]
  return {
    objects: (objects ?? []) as unknown[],
    more: isMore,
    next: following === '' ? null : following,
    first: first.date,
    last: last.date,
    undated: last.date === null ? last.why : null,
    servedAt: typeof headers.date === 'string' ? writtenDate(headers.date) : null,
    bytes: body.length,
  }
}

/** Without a version it is the one that was asked for. */
const isTaxii = (type: string): boolean => {
  const [media, ...parameters] = partsOf(type)
  if (media !== 'application/taxii+json') return false
  const version = parameters.find((parameter) => parameter.startsWith('version='))
  return version === undefined || /^version="?2\.1"?$/.test(version)
}

/** What servers write that know JSON alone, or name what is inside. */
const OTHER_JSON = new Set(['application/json', 'application/stix+json', 'application/vnd.oasis.stix+json'])
const isOtherJson = (type: string): boolean => OTHER_JSON.has(partsOf(type)[0]!)

const partsOf = (type: string): string[] => type.split(';').map((part) => part.trim().toLowerCase())

/** A boolean, also as text or number. */
function truthOf(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function jsonOf(name: string, body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new TaxiiFault(`${name}: the answer is not JSON`)
  }
}

type ReadDate = { date: string; why: null } | { date: null; why: string }

function dateOf(headers: IncomingHttpHeaders, which: 'First' | 'Last'): ReadDate {
  const name = `X-TAXII-Date-Added-${which}`
  const value = headers[name.toLowerCase()]
  if (value === undefined) return { date: null, why: `the server does not say when objects were added (${name})` }
  const date = writtenDate(String(value))
  return date === null ? { date, why: `${name} is not a timestamp: "${shown(String(value))}"` } : { date, why: null }
}

const shown = (text: string): string => text.slice(0, 100).replace(/[\p{C}"]/gu, '?')

const MEDIA_TYPE = 'application/taxii+json;version=2.1'

export type TaxiiBounds = {
  /** Objects that are asked for at once, and the largest page in bytes. */
  limit: number
  maxBytes: number
  /** Milliseconds for one page, and without a byte. */
  totalMs: number
  idleMs: number
  /** Waits for a server that asks for patience: how many, and how long each at most. */
  waits: number
  maxWaitMs: number
}

const BOUNDS: TaxiiBounds = {
  limit: 1_000,
  maxBytes: 32 * 1024 ** 2,
  totalMs: 120_000,
  idleMs: 30_000,
  waits: 5,
  maxWaitMs: 300_000,
}

/** Where the server does not say for how long, milliseconds. */
const USUAL_WAIT_MS = 10_000

type Process = { now: () => number; pause: (ms: number, signal: AbortSignal) => Promise<void> }

/**
 * A collection over HTTP. Addresses are judged where a connection is made, as of feeds that are downloaded; what was said
 * with a request goes to the same origin only, also when a redirect leads elsewhere.
 * @param url of the objects of the collection, without credentials
 */
export function taxiiCollection(
  url: URL,
  { authorization, tls }: TaxiiAccess,
  { now, pause }: Process,
  bounds = BOUNDS,
): TaxiiCollection {
  const name = shownUrl(url)

  async function page({ addedAfter, next }: PagePlace, signal: AbortSignal): Promise<TaxiiPage> {
    const asked = new URL(url)
    if (addedAfter !== null) asked.searchParams.set('added_after', addedAfter)
    asked.searchParams.set('limit', String(bounds.limit))
    if (next !== null) asked.searchParams.set('next', next)
    for (let waits = 0; ; waits++) {
      signal.throwIfAborted()
      const response = await fetchFrom(asked, signal)
      const status = response.statusCode ?? 0
      if (status === 200) return pageOf(name, response.headers, await bytesOf(response))
      response.destroy()
      if (status !== 429 && status !== 503) throw new TaxiiFault(`${name}: ${meaningOf(status)}`)
      const wait = waitOf(response.headers['retry-after'])
      if (waits === bounds.waits || wait > bounds.maxWaitMs)
        throw new TaxiiFault(`${name}: the server answered ${status} and asks to wait ${Math.ceil(wait / 1_000)} s`)
      await pause(wait, signal)
    }
  }

  async function fetchFrom(start: URL, stop: AbortSignal) {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(bounds.totalMs)])
    const said = authorization === null ? {} : { authorization }
    let at = start
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const same = at.origin === url.origin
      const headers = { accept: MEDIA_TYPE, 'accept-encoding': 'identity', ...(same ? said : {}) }
      const loopback = same && namesLoopback(url)
      const asked = { headers, signal, idleMs: bounds.idleMs, ...(same && tls !== undefined ? { tls } : {}) }
      const response = await requestChecked(at, loopback, asked).catch((cause: Error) => {
        stop.throwIfAborted()
        throw new TaxiiFault(`${name}: ${failureOf(cause, 'tls' in asked)}`, { cause })
      })
      const status = response.statusCode ?? 0
      const { location } = response.headers
      if (status < 300 || status >= 400 || location === undefined) return response
      response.destroy()
      at = redirected(location, at)
    }
    throw new TaxiiFault(`${name}: more than ${MAX_REDIRECTS} redirects`)
  }

  function redirected(location: string, at: URL): URL {
    if (!URL.canParse(location, at.href)) throw new TaxiiFault(`${name}: the server redirects to no URL`)
    const to = new URL(location, at)
    // What a server writes there is not what the user has allowed to be said.
    to.username = ''
    to.password = ''
    return to
  }

  async function bytesOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
    const pieces: Buffer[] = []
    let size = 0
    try {
      // Some servers pack what nobody asked them to pack.
      for await (const piece of unpack(limitBytes(response, url, bounds.maxBytes))) {
        size += piece.length
        if (size > bounds.maxBytes) throw new Error(`it is larger than ${bounds.maxBytes} bytes`)
        pieces.push(piece)
      }
    } catch (cause) {
      throw new TaxiiFault(`${name}: a page cannot be read: ${(cause as Error).message}`, { cause })
    }
    return Buffer.concat(pieces)
  }

  /** Milliseconds, by a number of seconds or a date. */
  function waitOf(header: string | undefined): number {
    if (header === undefined) return USUAL_WAIT_MS
    const given = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now()
    return Number.isNaN(given) ? USUAL_WAIT_MS : Math.max(0, given)
  }

  return { name, page }
}

/** Under TLS 1.3 a server sees the certificate of the client after the handshake, and may end the connection without a word. */
const failureOf = ({ code, message }: NodeJS.ErrnoException, isCertified: boolean): string =>
  isCertified && (code === 'ECONNRESET' || code === 'EPIPE')
    ? `${message}: the server may not accept the certificate of --cert`
    : message

function meaningOf(status: number): string {
  const why =
    status === 401 || status === 403
      ? ': the credentials are missing, wrong or without the required rights'
      : status === 404
        ? ': there is no such collection, or it may not be read'
        : status === 406
          ? ': it does not support TAXII 2.1'
          : ''
  return `the server answered ${status}${why}`
}
