import { type LookupAddress, lookup } from 'node:dns'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../../schemas/network/address.ts'

/** Bounds of one fetch. */
type FetchBounds = {
  maxBytes: number
  /** Milliseconds for all of it, and without a byte. */
  totalMs: number
  idleMs: number
}

const FETCH_BOUNDS: FetchBounds = { maxBytes: 2 * 1024 ** 3, totalMs: 30 * 60_000, idleMs: 30_000 }

type Fetched = { identity: string | null; size: number | null; body: AsyncIterable<Buffer> }

export const MAX_REDIRECTS = 5

/**
 * Fetches a feed. Addresses are judged where the connection is made: public ones always, loopback only when the URL
 * itself names it, private, link-local and all others never; a redirect leads to public addresses only.
 * @throws on a status other than 200, too many redirects, a refused address, and while reading, past a bound.
 */
export async function openUrl(place: string, bounds = FETCH_BOUNDS): Promise<Fetched> {
  const deadline = AbortSignal.timeout(bounds.totalMs)
  let url = new URL(place)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const asked = { headers: { accept: '*/*' }, signal: deadline, idleMs: bounds.idleMs }
    const response = await requestChecked(url, hop === 0 && namesLoopback(url), asked)
    const status = response.statusCode ?? 0
    const location = response.headers.location
    if (status >= 300 && status < 400 && location !== undefined) {
      response.destroy()
      url = new URL(location, url)
      continue
    }
    if (status !== 200) {
      response.destroy()
      throw new Error(`${shownUrl(url)}: the server answered ${status}`)
    }
    const length = Number(response.headers['content-length'] ?? Number.NaN)
    const version = response.headers.etag ?? response.headers['last-modified']
    return {
      identity: version === undefined ? null : `${place} ${version} ${length}`,
      size: Number.isSafeInteger(length) ? length : null,
      body: limitBytes(response, url, bounds.maxBytes),
    }
  }
  throw new Error(`${shownUrl(new URL(place))}: more than ${MAX_REDIRECTS} redirects`)
}

/** What goes with a request. */
export type Asked = {
  headers: Record<string, string>
  signal: AbortSignal
  /** Milliseconds without a byte. */
  idleMs: number
  /** PEM texts of a client certificate and its key. */
  tls?: { cert: string; key: string }
}

/**
 * Asks for a URL at an address that may be connected to; follows no redirect. Messages name the URL without its credentials.
 * @param loopback whether addresses of this machine may be
 * @throws on a refused address, and what the connection does
 */
export async function requestChecked(url: URL, loopback: boolean, asked: Asked): Promise<IncomingMessage> {
  const { headers, signal, idleMs, tls } = asked
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${shownUrl(url)}: only http and https URLs are supported`)
  }
  const get = url.protocol === 'https:' ? getHttps : getHttp
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address never reaches the lookup below.
  if (isIP(host) !== 0 && !mayConnect(host, loopback))
    throw new Error(`${shownUrl(url)}: ${host} is not a public address`)
  return new Promise((resolve, reject) => {
    const options = { signal, lookup: judged(loopback), headers: { 'user-agent': 'harrier', ...headers }, ...tls }
    const sent = get(url, { ...options, timeout: idleMs }, resolve)
    sent.on('timeout', () => sent.destroy(new Error(`${shownUrl(url)}: no data received for ${idleMs} ms`)))
    sent.on('error', reject)
  })
}

/** A URL as it may be printed: without user and password, and without a query, which may have a key in it. */
export function shownUrl(url: URL): string {
  const shown = new URL(url.href)
  shown.username = ''
  shown.password = ''
  shown.search = ''
  return shown.href
}

/** Resolves a name and refuses it when any of its addresses may not be connected to. */
const judged =
  (loopback: boolean): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refused = error === null ? addresses.find(({ address }) => !mayConnect(address, loopback)) : undefined
      const fault = error ?? (refused && new Error(`${host} resolves to ${refused.address}, not a public address`))
      if (fault) callback(fault, '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }

/** Whether a feed may be fetched from an address. */
export function mayConnect(address: string, loopback: boolean): boolean {
  return isPublicAddress(address) || (loopback && ipaddr.process(address).range() === 'loopback')
}

/** Whether a URL itself names this machine. */
export const namesLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

export async function* limitBytes(body: AsyncIterable<Buffer>, url: URL, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${shownUrl(url)}: larger than ${maxBytes} bytes`)
    yield chunk
  }
}
