import { randomUUID } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'

const ESCAPES: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }

/** Half a surrogate pair is no UTF-8, and in no stored value. */
const escaped = (text: string): string =>
  text.toWellFormed().replace(/[\t\n\r'\\]/g, (character) => ESCAPES[character]!)

/**
 * The value of a query parameter as ClickHouse reads it: text in the escapes of TabSeparated, within an array or a map
 * (an object) as a literal in quotes.
 * @throws TypeError for what the store has no form for
 */
export function paramText(value: unknown, within = false): string {
  if (typeof value === 'string') return within ? `'${escaped(value)}'` : escaped(value)
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return within ? 'NULL' : '\\N'
  if (Array.isArray(value)) return `[${value.map((each) => paramText(each, true)).join()}]`
  if (typeof value === 'object') return mapText(value)
  throw new TypeError(
    `a query parameter cannot be ${value === undefined ? 'undefined' : `of the type ${typeof value}`}`,
  )
}

const mapText = (map: object): string =>
  `{${Object.entries(map)
    .map(([key, value]) => `${paramText(key, true)}:${paramText(value, true)}`)
    .join()}}`

const NUMBERS: Record<string, string> = { NaN: 'nan', Infinity: '+inf', '-Infinity': '-inf' }

const numberText = (value: number | bigint): string => NUMBERS[String(value)] ?? String(value)

export type ReaderOptions = {
  url: string
  username: string
  password: string
  database: string
  settings: Readonly<Record<string, string>>
  connections: number
  /** Milliseconds that a connection is kept unused. */
  idleMs: number
  /** Milliseconds until an answer has to be there. */
  longestMs: number
}

type Params = Readonly<Record<string, unknown>>

/** Reads over the HTTP interface of ClickHouse. */
export type Reader = {
  /**
   * The text of the answer.
   * @throws ClickHouseError for what the store refuses; the error of the socket; the reason of `signal`
   */
  read(sql: string, params: Params, signal?: AbortSignal): Promise<string>
  /**
   * The bytes of an answer as they come, in a format of ClickHouse. The iteration throws when the store fails in the
   * middle, or is cut off.
   * @throws as `read`, for what the store refuses before the first byte
   */
  stream(
    sql: string,
    params: Params,
    how: { format: string; settings: Readonly<Record<string, string>> },
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>
  close(): void
}

/** Bytes of parameters in a URL; servers and proxies refuse longer ones. */
const MAX_URL = 4096

/**
 * The client of ClickHouse waits for a timer before each request, which is a third of what a small read takes (ADR 265).
 * Idle connections are left before the store leaves them.
 */
export function reader({ settings, connections, idleMs, longestMs, ...options }: ReaderOptions): Reader {
  const url = new URL(options.url)
  const { protocol, port } = url
  const { request, Agent } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: idleMs })
  const search = new URLSearchParams({ ...settings, database: options.database, default_format: 'JSONEachRow' })
  const path = `${url.pathname}?${search}`
  const credentials = Buffer.from(`${options.username}:${options.password}`).toString('base64')
  const always = { authorization: `Basic ${credentials}`, 'user-agent': 'harrier' }
  const target = { protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port, method: 'POST', agent }

  /** Resolves with an answer that is none of an error. */
  const ask = (sql: string, params: Params, to: string, signal?: AbortSignal): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { query, type, body } = sent(sql, params)
      const headers = { ...always, 'content-type': type, 'content-length': Buffer.byteLength(body) }
      const asked = request({ ...target, path: to + query, headers, ...(signal && { signal }) })
      const timer = setTimeout(
        () => asked.destroy(new Error(`the history store did not answer within ${longestMs} ms`)),
        longestMs,
      )
      asked.once('close', () => clearTimeout(timer))
      const fail = (error: unknown): void => reject(signal?.aborted ? signal.reason : error)
      asked.once('error', fail)
      asked.once('response', (response) => {
        if (response.statusCode === 200) resolve(response)
        else text(response).then((answer) => fail(refusal(answer, response)), fail)
      })
      asked.end(body)
    })

  return {
    async read(sql, params, signal) {
      const answer = await ask(sql, params, path, signal)
      return text(answer).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : error
      })
    },
    stream(sql, params, { format, settings: more }, signal) {
      const how = new URLSearchParams({ ...settings, ...more, database: options.database, default_format: format })
      how.set('wait_end_of_query', '0')
      return ask(sql, params, `${url.pathname}?${how}`, signal)
    },
    close: () => agent.destroy(),
  }
}

/** Parameters in the URL; as a form where they are long. */
function sent(sql: string, params: Params): { query: string; type: string; body: string } {
  const texts = Object.entries(params).map(([name, value]) => [`param_${name}`, paramText(value)] as const)
  const query = texts.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('')
  if (query.length <= MAX_URL) return { query, type: 'text/plain; charset=utf-8', body: sql }
  // A random name: no value can have it in its text.
  const boundary = randomUUID()
  const parts = [['query', sql] as const, ...texts].map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { query: '', type: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` }
}

/** The innermost of the errors that servers of a cluster pass on. */
const REFUSED = /^[\s\S]*Exception: ([\s\S]+?)\(([A-Z0-9_]*[A-Z]{3}[A-Z0-9_]*)\)/
const MAX_REFUSED = 20_000

/** `Code: 60. DB::Exception: message. (UNKNOWN_TABLE)`, the code in a header, too; anything else in its own words. */
function refusal(answer: string, { statusCode, headers }: http.IncomingMessage): Error {
  const words = answer.slice(0, MAX_REFUSED)
  const code = headers['x-clickhouse-exception-code'] ?? /Code: (\d+)/.exec(words)?.[1]
  if (typeof code !== 'string') return new Error(`the history store answered with status ${statusCode}: ${words}`)
  const [, message = words.trim(), type = 'UNKNOWN'] = REFUSED.exec(words) ?? []
  return new ClickHouseError({ message, code, type })
}
