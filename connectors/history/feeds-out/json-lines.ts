/** Longest line, in bytes: a row of a list with all of its tags and values is far shorter. */
const MAX_LINE = 64 * 1024 * 1024
const LINE_END = 0x0a

/**
 * The rows of an answer in lines of JSON, as many at a time as came complete.
 * @throws Error for a last line that has no end: the answer was cut off
 */
export async function* jsonLines<Row>(answer: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  let rest: Buffer[] = []
  let waiting = 0
  for await (const piece of answer) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const end = bytes.lastIndexOf(LINE_END)
    if (end === -1) {
      rest.push(bytes)
      waiting += bytes.length
      if (waiting > MAX_LINE) throw new Error(`a line of the history store is longer than ${MAX_LINE} bytes`)
      continue
    }
    // Within JSON a line end is written as \n, so every one that is found ends a row.
    const whole = Buffer.concat([...rest, bytes.subarray(0, end)]).toString()
    yield JSON.parse(`[${whole.replaceAll('\n', ',')}]`) as Row[]
    rest = [bytes.subarray(end + 1)]
    waiting = bytes.length - end - 1
  }
  if (waiting > 0) throw new Error('the answer of the history store ended within a row')
}
