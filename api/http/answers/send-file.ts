/** A file as an answer: conditions, ranges and HEAD (RFC 9110), as the package `send` reads them. */

import type { Context } from 'koa'
import send from 'send'
import { ApiError, type ErrorCode, fromStatus } from '../errors.ts'
import type { FileBody } from './raw-body.ts'

// Headers of conditions and ranges as RFC 9110 means them where the package `send` reads them otherwise.

type Conditions = { 'if-match'?: string; 'if-range'?: string; range?: string }

/** No file has this tag. */
const NEVER = '""'

const SPEC = /^\s*(\d*)\s*-\s*(\d*)\s*$/

/**
 * The same conditions with what only these rules say made plain: weak tags never match where a strong one is asked for
 * (13.1.1, 13.1.5), a suffix that is longer than the file is all of it, and a range that ends before it begins is none
 * (14.1.2).
 * @param size of the file, in bytes
 */
export function strictConditions(
  { 'if-match': match, 'if-range': ifRange, range }: Conditions,
  size: number,
): Conditions {
  const strict: Conditions = {}
  if (match !== undefined) strict['if-match'] = strongTags(match)
  if (range === undefined || ifRange?.trimStart().startsWith('W/')) return strict
  const whole = wholeRange(range, size)
  if (whole === null) return strict
  strict.range = whole
  if (ifRange !== undefined) strict['if-range'] = ifRange
  return strict
}

/** Tags have no commas of ours in them: they are digests. */
function strongTags(match: string): string {
  const strong = match.split(',').filter((tag) => !tag.trim().startsWith('W/'))
  return strong.length === 0 ? NEVER : strong.join(',')
}

/** null: it is no range, and to be ignored. Other units are left as they are. */
function wholeRange(range: string, size: number): string | null {
  const [unit, specs] = range.split('=', 2)
  if (unit?.trim().toLowerCase() !== 'bytes' || specs === undefined) return range
  const read = specs.split(',').map((spec): string | null => {
    const [, first, last] = SPEC.exec(spec) ?? []
    if (first === undefined || last === undefined || (first === '' && last === '')) return null
    if (first === '') return Number(last) > size && size > 0 ? '0-' : `-${last}`
    return last !== '' && Number(first) > Number(last) ? null : `${first}-${last}`
  })
  return read.includes(null) ? null : `bytes=${read.join(',')}`
}

/** A reader that takes nothing for so long is gone, in milliseconds. */
const IDLE_MS = 120_000

const OPTIONS = { etag: false, lastModified: false, cacheControl: false, dotfiles: 'allow' } as const

/** Headers of the file that are not those of a refusal. */
const OF_FILE = ['content-type', 'content-encoding', 'content-disposition', 'content-length', 'etag', 'last-modified']

const REFUSALS: Readonly<Record<number, ErrorCode>> = { 412: 'precondition_failed', 416: 'range_not_satisfiable' }

/**
 * Sends the file with the headers that were set, `etag` and `last-modified` among them: by these it answers 304 and 206.
 * Resolves when the answer is out or its reader is gone. Throws ApiError 412, and 416 for a range that the file does not
 * have; 404 for a file that is gone.
 */
export async function sendFile(ctx: Context, { path, media, bytes }: FileBody): Promise<void> {
  const { req, res } = ctx
  if (res.destroyed || res.writableEnded) return
  ctx.respond = false
  if (path === null) {
    res.removeHeader('content-encoding')
    res.statusCode = 304
    return void res.end()
  }
  if (req.headers.range !== undefined || req.headers['if-match'] !== undefined) readStrictly(req, bytes)
  res.statusCode = 200
  res.setHeader('content-type', media)
  res.setTimeout(IDLE_MS, () => res.destroy())
  const status = await new Promise<number | null>((resolve) => {
    res.once('close', () => resolve(null))
    send(req, encodeURI(path), OPTIONS)
      .on('error', (error: { status: number }) => resolve(error.status))
      .on('directory', () => resolve(404))
      .pipe(res)
  })
  if (status === null) return
  if (res.headersSent) return void res.destroy()
  ctx.respond = true
  for (const name of OF_FILE) res.removeHeader(name)
  const code = REFUSALS[status]
  throw code === undefined ? fromStatus(status) : new ApiError(code)
}

function readStrictly({ headers }: Context['req'], bytes: number): void {
  const { 'if-match': match, 'if-range': ifRange, range } = headers
  const given = {
    ...(match !== undefined && { 'if-match': match }),
    ...(typeof ifRange === 'string' && { 'if-range': ifRange }),
    ...(range !== undefined && { range }),
  }
  for (const name of ['if-match', 'if-range', 'range'] as const) delete headers[name]
  Object.assign(headers, strictConditions(given, bytes))
}
