import { encodingOf } from './encoding.ts'

/** Largest JSON document, in bytes: it is read whole, and takes several times as much memory. */
const MAX_DOCUMENT = 256 * 1024 * 1024

/**
 * A JSON document from its pieces, in UTF-8 or, with a byte order mark, UTF-16.
 * @throws past `limit` bytes, when it is of another encoding, and when it is not JSON.
 */
export async function readDocument(chunks: AsyncIterable<Buffer>, limit = MAX_DOCUMENT): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw new Error(`the JSON document is larger than ${limit} bytes; split it`)
    pieces.push(chunk)
  }
  return JSON.parse(decoded(Buffer.concat(pieces)))
}

function decoded(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Error(`the document has bytes that are not ${encoding.toUpperCase()}; convert it to UTF-8`, { cause })
  }
}

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The members of a field that should be a list; one that stands alone counts as a list of it. */
export const membersOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** The text of a field; `''` when it is missing or no text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []
