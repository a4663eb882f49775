import avsc, { type Schema, type Type } from 'avsc'

/** What avsc reads from and writes to: bytes and a position, which may pass their end. */
type Tap = {
  buf: Buffer & { utf8Slice(from: number, to: number): string }
  pos: number
  readLong(): number
  readString(): string | undefined
  writeString(text: string): void
}

/** Texts of one field that are remembered, each at most so many bytes long. */
const PLACES = 16
const LONGEST = 64
/** After so many texts in a row that were not known, a field is one of ids or values: so many are read without a look. */
const DIFFERENT = 200
const UNLOOKED = 10_000

/**
 * Reads texts of one field. Most fields of what a feed reports have the same text in most records: of these no text is
 * made again. One is remembered for each place that length and last byte choose.
 */
function textReader(): (tap: Tap) => string | undefined {
  const bytes = new Uint8Array(PLACES * LONGEST)
  const lengths = new Uint8Array(PLACES)
  const texts: string[] = new Array(PLACES).fill('')
  let different = 0

  /** The text in these bytes, `length` of them from `from` on. */
  function remembered(buf: Tap['buf'], from: number, length: number): string {
    const place = (length + buf[from + length - 1]!) % PLACES
    const start = place * LONGEST
    if (lengths[place] === length) {
      let i = 0
      while (i < length && bytes[start + i] === buf[from + i]) i++
      if (i === length) {
        different = 0
        return texts[place]!
      }
    }
    different++
    for (let i = 0; i < length; i++) bytes[start + i] = buf[from + i]!
    lengths[place] = length
    const text = buf.utf8Slice(from, from + length)
    texts[place] = text
    return text
  }

  return (tap) => {
    if (different > DIFFERENT) {
      different = different > UNLOOKED ? 0 : different + 1
      return tap.readString()
    }
    const began = tap.pos
    const length = tap.readLong()
    const from = tap.pos
    if (length > 0 && length <= LONGEST && from + length <= tap.buf.length) {
      tap.pos = from + length
      return remembered(tap.buf, from, length)
    }
    tap.pos = began
    return tap.readString()
  }
}

/** Up to so many bytes the length of a text is one byte. */
const SHORT = 63
const LAST_ASCII = 0x7f

/** Writes short ASCII by a loop, without a look at its length in bytes first. @returns whether it was that */
function writeShort(tap: Tap, text: string): boolean {
  const { buf, pos } = tap
  const { length } = text
  if (length > SHORT || pos + 1 + length > buf.length) return false
  let at = pos
  buf[at++] = length * 2
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > LAST_ASCII) return false
    buf[at++] = code
  }
  tap.pos = at
  return true
}

type Resolving = { _read(tap: Tap): string | undefined }

/**
 * A string of Avro that is read and written in less time than by avsc: the same texts and the same bytes (ADR 287). These
 * three are what avsc calls of a type.
 */
class TextType extends avsc.types.StringType {
  readonly #read = textReader()

  _read(tap: Tap): string | undefined {
    return this.#read(tap)
  }

  _write(tap: Tap, value: unknown): void {
    if (typeof value !== 'string' || !writeShort(tap, value)) WRITE.call(this, tap, value)
  }

  /** A resolver of another schema reads as this type does. */
  _update(resolver: Resolving, { typeName }: Type): void {
    if (typeName === 'string' || typeName === 'bytes') resolver._read = this.#read
  }
}

/** Refuses what is no text. */
const { _write: WRITE } = avsc.types.StringType.prototype as unknown as Pick<TextType, '_write'>

/** For `typeHook` of avsc: its types of strings are `TextType`. */
export const textTypes = (schema: Schema): Type | undefined => (schema === 'string' ? new TextType() : undefined)
