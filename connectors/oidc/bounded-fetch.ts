/** Requests to the issuer: to https alone, never redirected, within a time and a size. */

/** Of a whole request, in milliseconds. */
export const TIMEOUT_MS = 5_000

/** Far above any metadata, key set or token. */
const MAX_BYTES = 512 * 1024

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The metadata of the issuer names the other addresses. Plain http is for an issuer on loopback, and leads nowhere else.
 * @param plain whether the issuer itself is reached by http
 * @throws what `fetch` throws; TypeError for another kind of address, and for an answer that is too large
 */
export function boundedFetch(plain: boolean): Fetch {
  return async (url, init) => {
    if (!isAllowed(new URL(url), plain)) throw new TypeError('the issuer names an address without https')
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
    const body = await bounded(response)
    const { status, statusText, headers } = response
    const empty = status === 204 || status === 304 || body.length === 0
    return new Response(empty ? null : body, { status, statusText, headers })
  }
}

export const isAllowed = ({ protocol, hostname }: URL, plain: boolean): boolean =>
  protocol === 'https:' || (plain && protocol === 'http:' && isLoopback(hostname))

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

async function bounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TypeError('the answer of the issuer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
