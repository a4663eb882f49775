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

const MAX_REDIRECTS = 5

/**
 * Fetches a feed. Addresses are judged where the connection is made: public ones always, loopback only when the URL
 * itself names it, private, link-local and all others never; a redirect leads to public addresses only.
 * @throws on a status other than 200, too many redirects, a refused address, and while reading, past a bound.
 */
export async function openUrl(place: string, bounds = FETCH_BOUNDS): Promise<Fetched> {
  const deadline = AbortSignal.timeout(bounds.totalMs)
  let url = new URL(place)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await request(url, hop === 0 && namesLoopback(url), deadline, bounds)
    const status = response.statusCode ?? 0
    const location = response.headers.location
    if (status >= 300 && status < 400 && location !== undefined) {
      response.destroy()
      url = new URL(location, url)
      continue
    }
    if (status !== 200) {
      response.destroy()
      throw new Error(`${url.href}: the server answered ${status}`)
    }
    const length = Number(response.headers['content-length'] ?? Number.NaN)
    const version = response.headers.etag ?? response.headers['last-modified']
    return {
      identity: version === undefined ? null : `${place} ${version} ${length}`,
      size: Number.isSafeInteger(length) ? length : null,
      body: limitBytes(response, url, bounds.maxBytes),
    }
  }
  throw new Error(`${place}: more than ${MAX_REDIRECTS} redirects`)
}

function request(url: URL, loopback: boolean, signal: AbortSignal, bounds: FetchBounds): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${url.href}: only http and https URLs are supported`)
  }
  const get = url.protocol === 'https:' ? getHttps : getHttp
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address never reaches the lookup below.
  if (isIP(host) !== 0 && !mayConnect(host, loopback)) throw new Error(`${url.href}: ${host} is not a public address`)
  return new Promise((resolve, reject) => {
    const options = { signal, lookup: judged(loopback), headers: { 'user-agent': 'harrier', accept: '*/*' } }
    const sent = get(url, { ...options, timeout: bounds.idleMs }, resolve)
    sent.on('timeout', () => sent.destroy(new Error(`${url.href}: no data received for ${bounds.idleMs} ms`)))
    sent.on('error', reject)
  })
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

const namesLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

async function* limitBytes(body: AsyncIterable<Buffer>, url: URL, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${url.href}: larger than ${maxBytes} bytes`)
    yield chunk
  }
}
