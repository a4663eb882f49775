/** Many values in one request, as the platform answers them (decisions 18.1, 19.3). */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as others } from 'node:timers/promises'
import { lineWriters } from '../../../api/http/answers/line-writer.ts'
import { mustBeJson, parseJson } from '../../../api/http/bodies/body.ts'
import { checkLineStream, isLines, lineStream } from '../../../api/http/bodies/line-stream.ts'
import { ApiError, invalid, lineError } from '../../../api/http/errors.ts'
import { linePlaces } from '../../../api/intelligence/services/bulk/line-places.ts'
import { readsAhead } from '../../../api/intelligence/services/reputation/read-ahead.ts'
import { readLine } from '../../../api/intelligence/services/reputation/value-lines.ts'
import { type Answers, MAX_KEY_BYTES } from '../../answers/port.ts'
import { sinkOf } from './sink.ts'
import { STALE } from './stale.ts'

const MOST_VALUES = 10_000
const MOST_JSON_BYTES = 4 * 1024 * 1024
const LINES = { maxLines: 100_000, maxBytes: 16 * 1024 * 1024, idleMs: 30_000, totalMs: 600_000 }
/** Values that are answered at once, and bytes of lines that are read at once: a millisecond, then others have their turn. */
const PORTION = 256
const PORTION_BYTES = 16 * 1024
/** Bodies of a process at the same time. */
const MOST_BODIES = 64
/** Bodies that are read to their end before anybody reads the answers. */
const MOST_AHEAD = 8

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const newWriter = lineWriters()
const newAhead = readsAhead(MOST_AHEAD)
let bodies = 0

/** A value over the bound of keys is an error everywhere. */
export const isTooLong = (value: string): boolean =>
  value.length > MAX_KEY_BYTES || (value.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(value) > MAX_KEY_BYTES)

const TOO_LONG = invalid('value', `must have at most ${MAX_KEY_BYTES} bytes`)

/** Answers `POST /v1`, JSON or NDJSON. @throws ApiError before the answer has begun */
export async function answerMany(req: IncomingMessage, res: ServerResponse, answers: Answers): Promise<void> {
  if (bodies >= MOST_BODIES) throw new ApiError('busy')
  bodies++
  try {
    await (isLines(req) ? answerLines(req, res, answers) : answerJson(req, res, answers))
  } finally {
    bodies--
  }
}

async function answerJson(req: IncomingMessage, res: ServerResponse, answers: Answers): Promise<void> {
  mustBeJson(req, 'application/json or application/x-ndjson')
  const values = valuesIn(parseJson(await bytesOf(req)))
  let text = '{"items":['
  for (let at = 0; at < values.length; at += PORTION) {
    if (at > 0) await others()
    if (answers.isStale()) throw STALE
    const some = values.slice(at, at + PORTION).map((value) => JSON.stringify(answers.answer(value)))
    text += `${at > 0 ? ',' : ''}${some.join()}`
  }
  res.writeHead(200, { 'content-type': 'application/json' }).end(`${text}]}`)
}

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const tooLarge = new ApiError('body_too_large', { message: `the body may have ${MOST_JSON_BYTES} bytes` })
  if (Number(req.headers['content-length'] ?? 0) > MOST_JSON_BYTES) throw tooLarge
  const pieces: Buffer[] = []
  let bytes = 0
  // A body that is left may not take the connection with it: the client is told why.
  for await (const piece of req.iterator({ destroyOnReturn: false })) {
    bytes += piece.length
    if (bytes > MOST_JSON_BYTES) throw tooLarge
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function valuesIn(body: unknown): string[] {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as { values?: unknown }) : {}
  const { values } = given
  if (!Array.isArray(values)) throw invalid('values', 'must be an array of strings in an object')
  const unknown = Object.keys(given).find((name) => name !== 'values')
  if (unknown !== undefined) throw invalid(unknown, 'unknown field')
  if (values.length < 1 || values.length > MOST_VALUES) throw invalid('values', `must have 1 to ${MOST_VALUES} values`)
  for (const [i, value] of values.entries()) {
    if (typeof value !== 'string' || !value.isWellFormed()) throw invalid(`values/${i}`, 'must be a string')
    if (isTooLong(value)) throw invalid(`values/${i}`, `must have at most ${MAX_KEY_BYTES} bytes`)
  }
  return values
}

async function answerLines(req: IncomingMessage, res: ServerResponse, answers: Answers): Promise<void> {
  checkLineStream(req, { ...LINES, mayBeEmpty: true })
  if (answers.isStale()) throw STALE
  const lines = lineStream(req, LINES)
  const writer = newWriter()
  res.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' })
  const sink = sinkOf(res)
  writer.open(sink)
  const sum = { line: 0, answered: 0, refused: 0 }
  const ahead = newAhead(lines)

  const refused = (line: number, error: object): string => {
    sum.refused++
    return `${JSON.stringify({ line, error })}\n`
  }
  const last = (line: number, code: string, message: string): void =>
    writer.write(`${JSON.stringify({ line, error: { code, message } })}\n`)

  /** Most clients read nothing before they have sent all: then the rest of the body is kept, of a few of them. */
  async function room(): Promise<void> {
    if (writer.hasRoom()) return
    ahead.begin()
    await writer.room()
  }

  function answered(line: number, bytes: Buffer): string {
    const read = readLine(bytes)
    if ('error' in read) return refused(line, read.error)
    if (isTooLong(read.value)) return refused(line, lineError(TOO_LONG))
    if (answers.isStale()) return refused(line, { code: STALE.code, message: STALE.message })
    sum.answered++
    return `${JSON.stringify(answers.answer(read.value))}\n`
  }

  async function all(): Promise<void> {
    for (;;) {
      await room()
      if (sink.signal.aborted) return
      const next = await lines.next(PORTION_BYTES)
      if (next.kind === 'too_large') return last(sum.line + 1, 'too_large', 'the body is too large')
      if (next.kind === 'late') return last(sum.line + 1, 'request_timeout', 'the body took too long')
      if (next.kind === 'end')
        return writer.write(`${JSON.stringify({ answered: sum.answered, refused: sum.refused })}\n`)
      if (next.kind !== 'lines') return
      const bytes = sum.line === 0 && next.bytes.subarray(0, 3).equals(BOM) ? next.bytes.subarray(3) : next.bytes
      const { places, last: end } = linePlaces(bytes, sum.line + 1)
      let text = ''
      for (let i = 0; i < places.length; i += 3) {
        if (sum.answered + sum.refused === LINES.maxLines) {
          writer.write(text)
          return last(places[i]!, 'too_many_lines', `the body has more than ${LINES.maxLines} lines`)
        }
        text += answered(places[i]!, bytes.subarray(places[i + 1]!, places[i + 2]!))
      }
      sum.line = end
      writer.write(text)
      await others()
    }
  }

  try {
    await all()
    await writer.flushed()
  } finally {
    ahead.end()
    lines.leave()
    writer.close()
    sink.end()
  }
}
