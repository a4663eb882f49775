import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Analysts } from '../analyst/ask.ts'
import { clientSession } from '../analyst/client-session.ts'
import type { Answer, EngineSessions } from '../sessions.ts'
import { NO_EXPRESSIONS, refuseOutside, refuseSettings } from '../statement/outside.ts'
import { badRequest, unknownCredentials } from '../statement/refused.ts'
import { parse, type Statement } from '../statement/statement.ts'
import { tokens } from '../statement/tokens.ts'
import { headersOf, sendAnswer, sendError, takeInto } from './answer.ts'
import { type Inbox, inMemory, limitBytes, plain } from './body.ts'
import {
  type Account,
  accountCheck,
  credentialsOf,
  type EngineRequest,
  readForm,
  readUrl,
  refuseIdentifiers,
} from './request.ts'

export type EngineLimits = {
  /** Of a body, uncompressed. */
  bodyBytes: number
  /** Of a body that is SQL, with or without the data of an INSERT. */
  sqlBytes: number
  /** Settings that every query starts from; a request may set others. */
  settings: Record<string, string>
}

type RequestParts = {
  request: EngineRequest
  res: ServerResponse
  sessions: EngineSessions
  inbox: Inbox
  limits: EngineLimits
  signal: AbortSignal
}

const operation = ({ request, limits }: RequestParts, sql: string, lane: 'read' | 'insert') => ({
  sql,
  lane,
  format: request.format,
  database: request.database,
  settings: { ...limits.settings, ...request.settings },
  params: request.params,
  check: (read: string) => refuseOutside([...tokens(read)]),
})

/** INSERT with data: through a file, in the format that the statement names. */
const insert = (
  parts: RequestParts,
  statement: Statement,
  data: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<Answer> =>
  parts.inbox.withFile(data, (path, bytes) => {
    if (bytes === 0) return Promise.resolve({ bytes: new Uint8Array(), rowsRead: 0, elapsedNs: 0 })
    const of = operation(parts, statement.sql, 'insert')
    const settings = { ...of.settings, ...NO_EXPRESSIONS }
    return parts.sessions.run({ ...of, settings, data: { path, format: statement.format ?? '' } }, parts.signal)
  })

/** The engine ends a document with each piece, so only formats of lines can come in pieces. */
const isStreamed = (request: EngineRequest, statement: Statement): boolean =>
  request.streamed && !request.gzip && /EachRow$/.test(statement.format ?? request.format)

const run = async (parts: RequestParts, sent: Buffer): Promise<[Answer, Statement]> => {
  const { request, sessions, signal } = parts
  const separator = request.query !== '' && sent.length > 0 ? '\n' : ''
  const all = Buffer.concat([Buffer.from(request.query + separator), sent])
  // One character a byte, so that offsets are those of the bytes: what follows an INSERT need not be text.
  const statement = parse(all.toString('latin1'))
  const sql = Buffer.from(statement.sql, 'latin1').toString()
  refuseIdentifiers(sql, request.params)
  if (statement.kind === 'insert')
    return [await insert(parts, { ...statement, sql }, [all.subarray(statement.dataFrom)]), statement]
  const lane = statement.kind === 'read' ? 'read' : 'insert'
  const take = lane === 'read' && isStreamed(request, statement) ? takeInto(parts.res, signal) : undefined
  return [await sessions.run(operation(parts, sql, lane), signal, take), statement]
}

const answer = async (parts: RequestParts, req: IncomingMessage): Promise<[Answer, Statement]> => {
  const { request, limits } = parts
  const body = plain(req)
  const contentType = req.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/form-data')) {
    const form = await readForm(request, contentType, await inMemory(body, limits.sqlBytes))
    return run({ ...parts, request: form }, Buffer.alloc(0))
  }
  const early = /^\s*insert\b/i.test(request.query) ? parse(request.query) : undefined
  if (early?.kind !== 'insert') return run(parts, await inMemory(body, limits.sqlBytes))
  refuseIdentifiers(early.sql, request.params)
  const rest = Buffer.from(request.query.slice(early.dataFrom))
  const data = async function* () {
    yield rest
    yield* limitBytes(body, limits.bodyBytes)
  }
  return [await insert(parts, early, data()), early]
}

/** Of a statement of a SQL user with its parameters. */
const STATEMENT_BYTES = 4 * 1024 * 1024

/** The full statement of a read-only user. */
const readStatement = async (request: EngineRequest, req: IncomingMessage): Promise<[EngineRequest, string]> => {
  const sent = await inMemory(plain(req), STATEMENT_BYTES)
  const contentType = req.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/form-data')) {
    const form = await readForm(request, contentType, sent)
    return [form, form.query]
  }
  return [request, [request.query, sent.toString()].filter((text) => text !== '').join('\n')]
}

/** The accounts that may query: the platform's own, and SQL users where they are enabled. */
export type Askers = { account: Account; analysts: Analysts | undefined }

/** The ClickHouse HTTP protocol over `sessions`. */
export const engineServer = (
  sessions: EngineSessions,
  inbox: Inbox,
  { account, analysts }: Askers,
  limits: EngineLimits,
): Server => {
  const isPlatform = accountCheck(account)
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', 'http://engine')
    const gone = new AbortController()
    res.once('close', () => gone.abort(new Error('the client disconnected')))
    if (req.method !== 'GET' && req.method !== 'POST') throw badRequest(`method ${req.method} is not supported`)
    const bare = req.method === 'GET' && !url.searchParams.has('query')
    if (url.pathname === '/ping' || (url.pathname === '/' && bare)) {
      // As a server does: whether it is there, and nothing that waits for its processors.
      return void res.end('Ok.\n')
    }
    if (url.pathname !== '/') throw badRequest('not found; the paths are / and /ping')
    const queryId = (url.searchParams.get('query_id') ?? '').replace(/[^\w-]/g, '').slice(0, 100) || randomUUID()
    for (const [name, value] of Object.entries(headersOf(queryId))) res.setHeader(name, value)
    const credentials = credentialsOf(url, req.headers)
    if (!isPlatform(credentials)) {
      const user = await analysts?.of(credentials.username, credentials.password)
      if (analysts === undefined || user === undefined) throw unknownCredentials()
      const session = clientSession(url.searchParams)
      const [request, sql] = await readStatement(readUrl(url, req.headers), req)
      const { answer, format } = await analysts.ask(user, { ...request, session }, sql, gone.signal)
      return void (await sendAnswer(res, answer, { gzip: request.gzip, format, written: false }))
    }
    const request = readUrl(url, req.headers)
    refuseSettings(request.settings)
    const [result, statement] = await answer({ request, res, sessions, inbox, limits, signal: gone.signal }, req)
    if (res.headersSent) return void res.end()
    const written = statement.kind === 'insert'
    await sendAnswer(res, result, { gzip: request.gzip, format: statement.format ?? request.format, written })
  }
  return createServer({ keepAliveTimeout: 30_000, maxHeaderSize: 1024 * 1024 }, (req, res) => {
    handle(req, res).catch((error: unknown) => {
      sendError(res, error)
      // An unread body would be taken for the next request of the connection.
      if (!req.complete) req.resume()
    })
  })
}
