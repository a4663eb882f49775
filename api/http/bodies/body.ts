/** A JSON body off the wire, within bounds (decisions 1.5; ADR 283). It is on the path of every submission. */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setImmediate as others } from 'node:timers/promises'
import { ApiError, invalid } from '../errors.ts'
import type { Held } from './body-room.ts'

/** What a text of JSON may be made of, seen before it is parsed: parsing and checking it takes their time (ADR 254). */
export const MAX_DEPTH = 32
/** Fields of one object. No body of ours has more than some hundreds; tens of thousands take a tenth of a second. */
const MAX_FIELDS = 1_000

/** Bytes for each object or array, beside those that every body may have. None of ours has half as many. */
const CONTAINER_BYTES = 12
const FREE_CONTAINERS = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Walks over the bytes once, without making anything of them. Throws 400 for nesting of more than `MAX_DEPTH` levels,
 * for an object of more than `MAX_FIELDS` fields, and for more objects and arrays than a body of its length has. Text that is no JSON passes: the parser refuses it.
 */
function checkShape(bytes: Buffer): void {
  /** Fields of the object that is open at each level; NaN for an array, of which a bound says the schema. */
  const fields: number[] = []
  const most = FREE_CONTAINERS + Math.floor(bytes.length / CONTAINER_BYTES)
  let containers = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at)
        break
      case COMMA:
        if (++fields[fields.length - 1]! > MAX_FIELDS)
          throw invalid('body', `has an object of more than ${MAX_FIELDS} fields`)
        break
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (fields.length === MAX_DEPTH) throw tooDeep()
        if (++containers > most) throw invalid('body', `has more than ${most} objects and arrays`)
        fields.push(bytes[at] === OPEN_OBJECT ? 1 : Number.NaN)
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        fields.pop()
        break
    }
  }
}

const tooDeep = () => invalid('body', `is nested deeper than ${MAX_DEPTH} levels`)

/** Where the text that begins at a quotation mark ends; the end of the bytes if it does not. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from + 1; ; at++) {
    at = bytes.indexOf(QUOTE, at)
    if (at < 0) return bytes.length
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
}

export const MAX_BODY_BYTES = 1024 * 1024
/** No text of so many bytes takes long to parse and check, whatever it is made of. */
export const SMALL_BYTES = 16 * 1024
/** Bytes of a body that takes a millisecond to parse. */
const LARGE_BYTES = 128 * 1024

/**
 * A refused body is read on by so many bytes before the refusal: a client that is still sending would meet a reset
 * connection instead of the answer.
 */
const MAX_DISCARDED_BYTES = 7 * MAX_BODY_BYTES

/** A body and the header that signs it. */
export type Signed = { bytes: Buffer; signature: string }

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i

/** The usual media type of a body. */
export const JSON_MEDIA = 'application/json'

/**
 * The parsed body. Throws 400, 413, 415, and what `held` refuses; its room is given back.
 * @param media what a refusal of another type names
 */
export async function readJson(request: IncomingMessage, held: Held, media = JSON_MEDIA): Promise<unknown> {
  mustBeJson(request, media)
  const bytes = readArrivedBody(request) ?? (await readBytes(request, held).finally(held.release))
  const value = parseJson(bytes)
  // What is made of a large body takes its time as well: other requests go first.
  if (bytes.length > LARGE_BYTES) await others()
  return value
}

/** Throws 400 where no body came, and 415 for one that is not JSON as it stands, which names the type to use. */
export function mustBeJson(request: IncomingMessage, media: string): void {
  refuseCompressed(request)
  const type = request.headers['content-type']
  if (isEmpty(request)) throw new ApiError('malformed_json', { message: 'a JSON body is required' })
  if (type === undefined || !JSON_TYPE.test(type))
    throw new ApiError('unsupported_media_type', { message: `content-type must be ${media}` })
}

/** Throws 415 for a body in a coding, which it names. */
export function refuseCompressed({ headers: { 'content-encoding': encoding } }: IncomingMessage): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', {
      message: `compressed bodies are not accepted: send the body without content-encoding ${encoding}`,
    })
  }
}

/** The whole body, when it came with the head, as a usual report does: then there is nothing to listen for. */
function readArrivedBody(request: IncomingMessage): Buffer | null {
  if (!request.complete || request.readableLength > MAX_BODY_BYTES) return null
  return request.read() as Buffer | null
}

/** The body as received, for the check of its signature. Throws 400, 413, and what `held` refuses; its room is given back. */
export async function readSigned(request: IncomingMessage, header: string, held: Held): Promise<Signed> {
  const signature = request.headers[header]
  if (typeof signature !== 'string') throw invalid(header, 'is required')
  return { bytes: await readBytes(request, held).finally(held.release), signature }
}

/** Whether no body came, not even a broken one. */
export const isEmpty = (request: IncomingMessage): boolean =>
  request.headers['content-length'] === '0' || !hasBody(request)

const hasBody = (request: IncomingMessage): boolean =>
  request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined

/**
 * The body as it comes. Throws 400 for an incomplete one, 413 for one of more than `most` bytes.
 * @param held each piece takes room of it, which whoever calls gives back
 */
export function readBytes(
  request: IncomingMessage,
  { keep }: Pick<Held, 'keep'>,
  most = MAX_BODY_BYTES,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let refused: ApiError | null = null
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      refused ??= size > most ? new ApiError('body_too_large') : keep(chunk.length)
      if (refused === null) chunks.push(chunk)
      else {
        chunks.length = 0
        if (size <= most + MAX_DISCARDED_BYTES) return
        request.pause()
        reject(refused)
      }
    })
    request.on('end', () => {
      if (refused !== null) reject(refused)
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
    })
    request.on('error', (cause) =>
      reject(new ApiError('malformed_request', { message: 'the body is incomplete' }, { cause })),
    )
    request.on('close', () => {
      if (!request.complete) reject(new ApiError('malformed_request', { message: 'the body is incomplete' }))
    })
  })
}

/** Parses and bounds JSON text. Throws a 400 that says what is wrong with it. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length > SMALL_BYTES) checkShape(bytes)
  if (!isUtf8(bytes)) throw new ApiError('malformed_json', { message: 'the body is not valid UTF-8' })
  const text = bytes.toString('utf8')
  if (text.trim() === '') throw new ApiError('malformed_json', { message: 'a JSON body is required' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ApiError('malformed_json', {}, { cause })
  }
  inspect(value, 0)
  return value
}

/**
 * What JSON.parse lets through and nothing behind it should meet: depth that would end a recursion, half a surrogate
 * pair (no UTF-8 for it), a number beyond every double (1e400 reads as Infinity).
 */
function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw invalid('body', 'contains text that is not well-formed Unicode')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid('body', 'contains a number that is out of range')
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) throw tooDeep()
    if (Array.isArray(value)) for (const item of value) inspect(item, depth + 1)
    else {
      for (const key in value) {
        if (!key.isWellFormed()) throw invalid('body', 'contains text that is not well-formed Unicode')
        inspect((value as Record<string, unknown>)[key], depth + 1)
      }
    }
  }
}
