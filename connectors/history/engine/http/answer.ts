import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer, TakeBytes } from '../sessions.ts'
import { Refused } from '../statement/refused.ts'

const zip = promisify(gzip)

/** A few error codes that clients distinguish by status; any other failure of a query is a 500, as on a server. */
const STATUS: Record<number, number> = {
  60: 404,
  81: 404,
  62: 400,
  46: 400,
  47: 400,
  36: 400,
  57: 400,
  164: 403,
  497: 403,
}

export const headersOf = (queryId: string): Record<string, string> => ({
  'x-clickhouse-server-display-name': 'harrier',
  'x-clickhouse-query-id': queryId,
  'x-clickhouse-timezone': 'UTC',
})

export const sendAnswer = async (
  res: ServerResponse,
  answer: Answer,
  how: { gzip: boolean; format: string; written: boolean },
): Promise<void> => {
  const rows = String(answer.rowsRead)
  const none = '0'
  const summary = {
    read_rows: how.written ? none : rows,
    read_bytes: none,
    written_rows: how.written ? rows : none,
    written_bytes: none,
    total_rows_to_read: none,
    result_rows: rows,
    result_bytes: String(answer.bytes.length),
    elapsed_ns: String(answer.elapsedNs),
  }
  res.setHeader('x-clickhouse-format', how.format)
  res.setHeader('x-clickhouse-summary', JSON.stringify(summary))
  res.setHeader('content-type', how.format.startsWith('JSON') ? 'application/json; charset=UTF-8' : 'text/plain')
  const body = how.gzip && answer.bytes.length > 0 ? await zip(answer.bytes, { level: 1 }) : answer.bytes
  if (body !== answer.bytes) res.setHeader('content-encoding', 'gzip')
  res.setHeader('content-length', body.length)
  res.end(body)
}

/** Sends an answer as it comes, as slowly as the client reads. The first piece sends the head. */
export const takeInto =
  (res: ServerResponse, signal: AbortSignal): TakeBytes =>
  async (bytes) => {
    if (!res.headersSent) res.setHeader('content-type', 'application/json; charset=UTF-8')
    // The piece is memory of the engine, which is freed with the next one.
    if (!res.write(Buffer.from(bytes))) await once(res, 'drain', { signal })
  }

/** An error in the words of a server: `Code: n. DB::Exception: message. (WORD)`, code in a header too. */
export const sendError = (res: ServerResponse, error: unknown): void => {
  if (res.headersSent) return void res.destroy()
  const message = error instanceof Error ? error.message : String(error)
  const text =
    error instanceof Refused
      ? `Code: ${error.code}. DB::Exception: ${message}. (${error.word})`
      : /^Code: \d+\./.test(message)
        ? message
        : `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`
  const code = Number(/^Code: (\d+)/.exec(text)![1])
  res.statusCode = error instanceof Refused ? error.status : (STATUS[code] ?? 500)
  res.setHeader('x-clickhouse-exception-code', code)
  res.setHeader('content-type', 'text/plain; charset=UTF-8')
  res.end(`${text}\n`)
}
