/** Requests to addresses that somebody else named, to public ones only (decisions 7; ADR 110). */

import { Resolver } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { isIP, type LookupFunction, connect as plain, type Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import { isPublicAddress } from '../../../schemas/network/address.ts'
import { hostOf, localHost } from '../../../schemas/network/host.ts'
import type { OutboundOutcome, OutboundReason, OutboundRequest } from './port.ts'

/** The addresses of a name. Rejects when there are none, or when `signal` aborts. */
type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

const TRY_MS = 2_000
const TRIES = 2

/**
 * Queries the name servers of the system, or those given as `address:port` (tests). Not `dns.lookup`: it blocks one
 * of the four libuv threads that file access and compression share, so a few names with a slow server would stall the
 * process. It also reads the hosts file, whose machines a caller should not be able to name.
 */
export const nameResolver =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const fault = answers.find(({ status }) => status === 'rejected')
      if (addresses.length === 0 && fault?.status === 'rejected') throw fault.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

export type Target = {
  /** For the certificate check; its addresses are not looked up again. */
  host: string
  port: number
  secure: boolean
  /** Checked before; at least one. A literal host is its own address. */
  addresses: readonly string[]
}

export type ConnectToTarget = (target: Target) => Socket

/**
 * A connection to one of exactly these addresses. The name was resolved once, and the connection uses the addresses
 * that were checked: a name server that changes its answer in between has no effect.
 */
export const connectTo: ConnectToTarget = ({ host, port, secure: encrypted, addresses }) => {
  const options = { host, port, lookup: answering(addresses), autoSelectFamily: true }
  if (!encrypted) return plain(options)
  const servername = isIP(host) === 0 ? host : ''
  return secure({ ...options, servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true })
}

const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }

type OutboundFailure = Extract<OutboundOutcome, { ok: false }>

const MESSAGES: Record<OutboundReason, string> = {
  invalid: 'the request cannot be sent',
  blocked: 'the host resolves to an address that is not public',
  dns: 'the host name does not resolve to an address',
  refused: 'the connection was refused',
  unreachable: 'the host cannot be reached',
  tls: 'the TLS handshake failed',
  reset: 'the connection was closed before a response',
  too_large: 'the response headers are too large',
  oversized: 'the response body is too large',
  truncated: 'the connection was closed before the end of the response',
  protocol: 'the response is not valid HTTP',
  timeout: 'the request timed out',
  stopped: 'the request was aborted',
  failed: 'the request failed',
}

const REASONS: Record<string, OutboundReason> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  HPE_HEADER_OVERFLOW: 'too_large',
}

/** `detail`: an additional error code, when the remote side caused it. */
const failureFor = (reason: OutboundReason, detail?: string): OutboundFailure => ({
  ok: false,
  reason,
  message: detail === undefined ? MESSAGES[reason] : `${MESSAGES[reason]}: ${detail}`,
})

/**
 * The outcome that an error of a connection stands for; `handshake`: it occurred after the connection and before TLS
 * was established.
 */
function failureOf(error: Error, handshake: boolean): OutboundFailure {
  const { code = '' } = error as NodeJS.ErrnoException
  if (handshake) return failureFor('tls', code.slice(0, 64) || undefined)
  return failureFor(REASONS[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'failed'))
}

const MAX_HEAD_BYTES = 16_384

/** Addresses of one name that are tried; a name may have thousands. */
const MAX_ADDRESSES = 8

type NetworkPorts = { resolve: Resolve; connect: ConnectToTarget }

const NETWORK: NetworkPorts = { resolve: nameResolver(), connect: connectTo }

/** See `SendOutbound`. `network` is for tests. */
export async function sendOutbound(
  request: OutboundRequest,
  network: NetworkPorts = NETWORK,
): Promise<OutboundOutcome> {
  const url = URL.parse(request.url)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return failureFor('invalid')
  const late = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal])
  const cut = () => failureFor(late.aborted ? 'timeout' : 'stopped')
  if (signal.aborted) return cut()
  const addresses = await addressesOf(hostOf(url), request.allowPrivate, network.resolve, signal)
  if (signal.aborted) return cut()
  return Array.isArray(addresses) ? await exchange(url, addresses, request, network.connect, signal, cut) : addresses
}

/** The addresses of a host, resolved once; a failure when there are none or, unless allowed, one is not public. */
async function addressesOf(host: string, allowPrivate: boolean, resolve: Resolve, signal: AbortSignal) {
  if (!allowPrivate && localHost(host) !== null) return failureFor('blocked')
  const looked = isIP(host) === 0 ? unlessAborted(resolve(host, signal), signal) : [host]
  const addresses = await Promise.resolve(looked).catch(() => [])
  // One address that is not public condemns the name: it is either a mistake or an attack.
  if (!allowPrivate && !addresses.every(isPublicAddress)) return failureFor('blocked')
  return addresses.length === 0 ? failureFor('dns') : addresses.slice(0, MAX_ADDRESSES)
}

/**
 * One connection, one request, one response. No agent is used: no connection pool, no proxy from the environment, no
 * cookies.
 */
function exchange(
  url: URL,
  addresses: readonly string[],
  request: OutboundRequest,
  connect: ConnectToTarget,
  signal: AbortSignal,
  cut: () => OutboundOutcome,
): Promise<OutboundOutcome> {
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const socket = () => connect({ host: hostOf(url), port, secure, addresses })
  return new Promise((resolve) => {
    let handshake = false
    // What every end counts as from now on; undefined: that depends on the end.
    let answered: OutboundOutcome | undefined
    let cutOff: OutboundReason = 'reset'
    const sent = httpRequest({
      createConnection: () => {
        const made = socket()
        if (secure) made.once('connect', () => (handshake = true)).once('secureConnect', () => (handshake = false))
        return made
      },
      path: `${url.pathname}${url.search}`,
      method: request.method,
      setHost: false,
      maxHeaderSize: MAX_HEAD_BYTES,
    })
    const settle = (outcome: OutboundOutcome): void => {
      signal.removeEventListener('abort', abort)
      resolve(answered ?? outcome)
      sent.destroy()
    }
    const abort = (): void => settle(cut())
    signal.addEventListener('abort', abort, { once: true })
    sent.on('error', (error) => settle(failureOf(error, handshake)))
    sent.on('close', () => settle(failureFor(cutOff)))
    sent.on('response', (response) => {
      const status = response.statusCode!
      const good: OutboundOutcome = { ok: true, status }
      if (request.wholeResponse !== true || status < 200 || status > 299) answered = good
      cutOff = 'truncated'
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size >= request.maxResponseBytes) settle(failureFor('oversized'))
      })
      response.on('end', () => settle(good)).on('error', () => settle(failureFor(cutOff)))
    })
    try {
      for (const { key, value } of request.headers) sent.setHeader(key, value)
      sent.setHeader('host', url.host)
      sent.setHeader('user-agent', 'harrier')
      sent.end(request.body)
    } catch {
      settle(failureFor('invalid'))
    }
  })
}

/** The result of the work, or a rejection as soon as `signal` aborts, whether or not the work reacts to it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  return Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end))
}
