import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isOutside } from '../statement/outside.ts'
import { badRequest, denied } from '../statement/refused.ts'

/** One operator account; the password is a secret of this start unless it was given. */
export type Account = { username: string; password: string }

export type EngineRequest = {
  query: string
  database: string
  format: string
  settings: Record<string, string>
  params: Record<string, string>
  gzip: boolean
  /** The answer is wanted as it comes. An error in the middle of it ends the connection. */
  streamed: boolean
}

/** Parameters of the protocol that are not settings of the engine; a session id is accepted and ignored. */
const PROTOCOL = new Set(
  (
    'query database default_format user password session_id session_timeout session_check query_id quota_key role ' +
    'decompress enable_http_compression wait_end_of_query buffer_size send_progress_in_http_headers ' +
    'cancel_http_readonly_queries_on_client_close client_protocol_version add_http_cors_header log_comment'
  ).split(' '),
)

const MAX_PARAMETERS = 1000

/** Requests without a database get this one: the engine's own `default` shows the whole file system as tables. */
export const HOME = 'home'

/** Settings, bound parameters and the query of a URL. @throws Refused BAD_ARGUMENTS that names the parameter */
export const readUrl = (url: URL, headers: IncomingMessage['headers']): EngineRequest => {
  const settings: Record<string, string> = {}
  const params: Record<string, string> = {}
  let count = 0
  for (const [name, value] of url.searchParams) {
    if (++count > MAX_PARAMETERS) throw badRequest(`more than ${MAX_PARAMETERS} parameters in the URL`)
    if (!/^\w{1,100}$/.test(name)) throw badRequest(`'${name.slice(0, 60)}' is not a valid parameter name`)
    if (name.startsWith('param_')) params[name.slice(6)] = value
    else if (name === 'compress' && value !== '0')
      throw badRequest('compress=1 (lz4 frames) is not supported; use gzip, or compress=false in a JDBC URL')
    else if (!PROTOCOL.has(name) && name !== 'compress' && !name.startsWith('http_')) settings[name] = value
  }
  const query = url.searchParams.get('query') ?? ''
  const database = header(headers, 'x-clickhouse-database') ?? url.searchParams.get('database') ?? ''
  const accepted = /\bgzip\b/.test(header(headers, 'accept-encoding') ?? '')
  return {
    query,
    database: database === '' || database === 'default' ? HOME : database,
    format: header(headers, 'x-clickhouse-format') ?? url.searchParams.get('default_format') ?? 'TabSeparated',
    settings,
    params,
    streamed: url.searchParams.get('wait_end_of_query') === '0',
    gzip: accepted && url.searchParams.get('enable_http_compression') === '1',
  }
}

/** The parts of a multipart form, where clients put what is too long for a URL. @throws Refused BAD_ARGUMENTS */
export const readForm = async (request: EngineRequest, contentType: string, body: Buffer): Promise<EngineRequest> => {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch((error: unknown) => {
    throw badRequest(`the multipart body is malformed: ${String(error)}`)
  })
  const params = { ...request.params }
  let { query } = request
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw badRequest(`part '${name.slice(0, 60)}': files are not supported`)
    if (name === 'query') query += value
    else if (/^param_\w{1,100}$/.test(name)) params[name.slice(6)] = value
    else throw badRequest(`part '${name.slice(0, 60)}' is unknown; expected query or a param_ parameter`)
  }
  return { ...request, query, params }
}

/** A bound Identifier could name what the text of a query may not. @throws Refused ACCESS_DENIED */
export const refuseIdentifiers = (sql: string, params: Record<string, string>): void => {
  if (!/:\s*Identifier\s*}/i.test(sql)) return
  // The engine would still undo escapes, of which a name of ours has none.
  for (const [name, value] of Object.entries(params))
    if (/^default(\.|$)/i.test(value) || /[\\/]/.test(value) || isOutside(value))
      throw denied(`parameter '${name}': this identifier is not allowed here`)
}

const header = (headers: IncomingMessage['headers'], name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const basic = (authorization: string | undefined): [string, string] | undefined => {
  const encoded = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [, user, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return user === undefined ? undefined : [user, password ?? '']
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Credentials in the three places of the protocol. */
export const credentialsOf = (url: URL, headers: IncomingMessage['headers']): Account => {
  const user = header(headers, 'x-clickhouse-user')
  const [username, password] =
    user !== undefined
      ? [user, header(headers, 'x-clickhouse-key') ?? '']
      : (basic(headers.authorization) ?? [url.searchParams.get('user') ?? '', url.searchParams.get('password') ?? ''])
  return { username, password }
}

/** Tells whether credentials are those of the account. */
export function accountCheck(account: Account): (credentials: Account) => boolean {
  const name = digest(account.username)
  const secret = digest(account.password)
  return ({ username, password }) => {
    // Both are compared, always: the time says nothing about which one was wrong.
    const right = Number(timingSafeEqual(digest(username), name))
    return (right & Number(timingSafeEqual(digest(password), secret))) === 1
  }
}
