import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ApiError, asApiError, invalid, lineError } from '../../../api/http/errors.ts'
import { type Answers, MAX_KEY_BYTES } from '../../answers/port.ts'
import type { Allowed } from '../allowed.ts'
import type { Listener, Place } from '../listener.ts'
import { answerMany, isTooLong } from './post.ts'
import { STALE, Stale } from './stale.ts'

const MOST_CONNECTIONS = 10_000
const MOST_HEADER_BYTES = 16 * 1024
/** Longer than proxies keep connections, so that none is closed under a request. */
const KEPT_MS = 75_000
/** Longer than a body may take, which is bounded by itself. */
const REQUEST_MS = 660_000
const GIVEN = { maxHeaderSize: MOST_HEADER_BYTES, keepAliveTimeout: KEPT_MS, requestTimeout: REQUEST_MS }
/** A client that neither sends nor reads for so long is left. */
const SILENT_MS = 60_000

/** How long a client may go on sending what was refused. */
const LEFT_MS = 30_000

export type HttpOptions = {
  answers: Answers
  allowed: Allowed
  /** Of every request but `/healthz`, as `allowed` is; null: none is asked for. */
  secret: string | null
  /** The text of `/metrics`. */
  metrics: () => string
  /** Bounds, for tests. */
  silentMs?: number
  connections?: number
}

const pathOf = ({ url }: IncomingMessage): string => url!.split('?', 1)[0]!

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Serves `GET /v1/{value}`, `POST /v1`, `/healthz` and `/metrics` (decisions 19.3). */
export async function listenHttp(place: Place, options: HttpOptions): Promise<Listener> {
  const server = createServer(GIVEN, (req, res) => {
    if (pathOf(req) !== '/healthz' && !options.allowed(req.socket.remoteAddress)) return void res.destroy()
    void serve(req, res, options).catch((error: unknown) => refuse(req, res, error))
  })
  server.maxConnections = options.connections ?? MOST_CONNECTIONS
  server.setTimeout(options.silentMs ?? SILENT_MS)
  let open = 0
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, resolve)
  })
  // One connection that could not be taken in: the others stay.
  server.on('error', () => undefined)
  return {
    port: (server.address() as { port: number }).port,
    connections: () => open,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(req: IncomingMessage, res: ServerResponse, options: HttpOptions): Promise<void> {
  const { answers } = options
  const path = pathOf(req)
  const age = answers.ageSeconds()
  if (age !== null) res.setHeader('x-feed-age', Math.floor(age))
  res.setHeader('cache-control', 'no-store')
  if (path === '/healthz') {
    const said = answers.isStale() ? { status: 'stale' } : { status: 'ok' }
    return send(req, res, answers.isStale() ? STALE.status : 200, said)
  }
  if (!isLetIn(req, options.secret)) throw new ApiError('unauthorized')
  if (path === '/metrics') return sendText(req, res, options.metrics())
  if (path === '/v1' || path === '/v1/') {
    allow(req, res, ['POST'])
    return answerMany(req, res, answers)
  }
  if (!path.startsWith('/v1/')) throw new ApiError('not_found')
  allow(req, res, ['GET', 'HEAD'])
  // A value that was cut at its `?` would be another one.
  if (req.url !== path) throw invalid('value', 'write `?` as %3F, or send the value by POST /v1')
  const value = valueIn(path.slice('/v1/'.length))
  if (answers.isStale()) throw STALE
  const json = answers.json(value)
  send(req, res, 200, json === null ? { value, listed: false } : json.text)
}

/** The value in a path. A slash in it is `%2F`: what is behind a bare one would be left out by some proxies. */
function valueIn(path: string): string {
  if (path.includes('/')) throw invalid('value', 'write `/` as %2F, or send the value by POST /v1')
  let value: string
  try {
    value = decodeURIComponent(path)
  } catch {
    throw invalid('value', 'is not percent-encoded UTF-8')
  }
  if (value.includes('\0')) throw invalid('value', 'has a NUL')
  if (isTooLong(value)) throw invalid('value', `must have at most ${MAX_KEY_BYTES} bytes`)
  return value
}

function isLetIn({ headers }: IncomingMessage, secret: string | null): boolean {
  if (secret === null) return true
  const [, given] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  return given !== undefined && timingSafeEqual(sha256(given), sha256(secret))
}

function allow({ method }: IncomingMessage, res: ServerResponse, methods: readonly string[]): void {
  if (methods.includes(method!)) return
  res.setHeader('allow', methods.join(', '))
  throw new ApiError('method_not_allowed')
}

function send(req: IncomingMessage, res: ServerResponse, status: number, body: object | string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  sendText(req, res, text, { status, type: 'application/json' })
}

function sendText(
  req: IncomingMessage,
  res: ServerResponse,
  text: string,
  { status = 200, type = 'text/plain; version=0.0.4; charset=utf-8' } = {},
): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
}

/**
 * Ends an answer once no more of the body comes. Most clients read nothing before they have sent all, and one whose
 * connection is closed under it does not see why: the rest is thrown away for a while.
 */
function endAfterBody(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return void res.end()
  const cut = setTimeout(() => req.socket.destroy(), LEFT_MS)
  const over = (): void => {
    clearTimeout(cut)
    res.end()
  }
  req.once('end', over).once('close', over).resume()
}

/** An error as the platform writes it. What comes after the answer has begun breaks the connection. */
function refuse(req: IncomingMessage, res: ServerResponse, thrown: unknown): void {
  if (res.headersSent) return void res.destroy()
  const error = thrown instanceof Stale ? thrown : asApiError(thrown)
  const { code, message, ...more } = error instanceof ApiError ? lineError(error) : error
  if (error.status === 401) res.setHeader('www-authenticate', 'Bearer')
  const text = JSON.stringify({
    error: { code, message: message ?? error.message, ...('param' in more ? { param: more.param } : {}) },
  })
  res.writeHead(error.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (req.method !== 'HEAD') res.write(text)
  endAfterBody(req, res)
}
