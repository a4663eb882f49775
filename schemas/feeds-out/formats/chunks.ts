/** Bytes of a chunk: what a caller writes to a file or a socket at once. A chunk ends with the piece that fills it. */
const CHUNK_BYTES = 65_536

export type Chunks = {
  /** Adds a piece; returns a chunk when there is enough for one. */
  add: (piece: string | Buffer) => Buffer | null
  /** What is left; null when that is nothing. */
  rest: () => Buffer | null
}

/** Collects pieces of text (UTF-8) and bytes into chunks. Holds one chunk. */
export function chunks(): Chunks {
  let parts: Buffer[] = []
  let text = ''
  let bytes = 0
  const flushText = (): void => {
    if (text === '') return
    const part = Buffer.from(text)
    parts.push(part)
    bytes += part.length
    text = ''
  }
  const rest = (): Buffer | null => {
    flushText()
    if (bytes === 0) return null
    const chunk = parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
    return chunk
  }
  return {
    add: (piece) => {
      if (typeof piece === 'string') text += piece
      else {
        flushText()
        parts.push(piece)
        bytes += piece.length
      }
      // A unit of UTF-16 is at least one byte, so this is never late by more than a factor of three.
      return bytes + text.length >= CHUNK_BYTES ? rest() : null
    },
    rest,
  }
}
