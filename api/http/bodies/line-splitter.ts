/** Whole lines out of the pieces in which a body comes, wherever they are cut. */

const LINE_END = 0x0a
/** A piece of at most so many bytes is looked at at once: no line inside of it is too long. */
const PIECE = 64 * 1024
/** A client may send a byte a piece, and what holds a piece takes more memory than that byte: so many are made one. */
const MANY = 1_024

export type LineSplitter = {
  push(piece: Buffer): void
  /** The body is whole: what follows the last line end is a line too. */
  finish(): void
  /** Bytes of whole lines that wait. */
  whole(): number
  /** Bytes of the line that has no end yet, as far as they are kept. */
  open(): number
  /**
   * Takes whole lines of at most `most` bytes together with their ends; one at least, however long it is. Empty: none
   * waits.
   */
  take(most: number): Buffer
}

/**
 * Of a line of more than `maxLine` bytes, `maxLine + 1` are kept and the rest is left out, so that whoever reads it sees that
 * it is too long, and memory is bounded.
 */
export function lineSplitter(maxLine: number): LineSplitter {
  let pieces: Buffer[] = []
  let size = 0
  /** Of `size`, up to and with the last line end. */
  let whole = 0
  let skipping = false
  if (maxLine < PIECE) throw new RangeError(`lines of ${maxLine} bytes are shorter than a piece`)

  const keep = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    pieces.push(bytes)
    size += bytes.length
    if (pieces.length > MANY) pieces = [Buffer.concat(pieces, size)]
  }

  function push(piece: Buffer): void {
    let rest = piece
    if (skipping) {
      const end = rest.indexOf(LINE_END)
      if (end < 0) return
      skipping = false
      rest = rest.subarray(end)
    } else {
      const end = rest.indexOf(LINE_END)
      const open = size - whole + (end < 0 ? rest.length : end)
      if (open > maxLine) {
        keep(rest.subarray(0, maxLine + 1 - (size - whole)))
        skipping = end < 0
        if (skipping) return
        rest = rest.subarray(end)
      }
    }
    const last = rest.lastIndexOf(LINE_END)
    const before = size
    keep(rest)
    if (last >= 0) whole = before + last + 1
  }

  return {
    push(piece) {
      for (let at = 0; at < piece.length; at += PIECE) push(piece.subarray(at, at + PIECE))
    },
    finish() {
      whole = size
    },
    whole: () => whole,
    open: () => size - whole,
    take(most) {
      if (whole === 0) return Buffer.alloc(0)
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
      let end = whole
      if (end > most) {
        end = all.lastIndexOf(LINE_END, most - 1) + 1
        if (end === 0) end = all.indexOf(LINE_END) + 1 || whole
      }
      pieces = end === size ? [] : [all.subarray(end)]
      size -= end
      whole -= end
      return all.subarray(0, end)
    },
  }
}
