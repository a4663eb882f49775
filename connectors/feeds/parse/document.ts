/** Largest JSON document, in bytes: it is read whole, and takes several times as much memory. */
const MAX_DOCUMENT = 256 * 1024 * 1024

/**
 * A JSON document from its pieces.
 * @throws past `limit` bytes, and when it is not JSON.
 */
export async function readDocument(chunks: AsyncIterable<Buffer>, limit = MAX_DOCUMENT): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw new Error(`the JSON document is larger than ${limit} bytes; split it`)
    pieces.push(chunk)
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  return JSON.parse(text)
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
