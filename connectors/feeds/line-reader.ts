/** Longest line that is looked at, in characters; no entity value is longer. */
export const MAX_LINE = 65_536

export type LineReader = {
  /** The lines that `text` completes, without line ends. An overlong line is returned as `null`. */
  push(text: string): (string | null)[]
  /** The last line, when the text did not end with a line end. */
  end(): (string | null)[]
}

/**
 * Cuts text that arrives in pieces into lines (LF or CR LF); holds at most one line.
 * @param most characters of a line that is no overlong one
 */
export function lineReader(most = MAX_LINE): LineReader {
  let rest = ''
  let overlong = false
  let first = true
  const finish = (line: string): string | null => {
    const stop = line.endsWith('\r') ? line.length - 1 : line.length
    const start = first && line.charCodeAt(0) === 0xfeff ? 1 : 0
    first = false
    return stop - start > most ? null : line.slice(start, stop)
  }
  return {
    push(text) {
      const pieces = text.split('\n')
      const last = pieces.pop()!
      if (pieces.length === 0) {
        if (!overlong) rest += last
        if (rest.length > most + 1) {
          overlong = true
          rest = ''
        }
        return []
      }
      const lines: (string | null)[] = pieces
      lines[0] = overlong ? null : finish(rest + pieces[0])
      for (let i = 1; i < pieces.length; i++) lines[i] = finish(pieces[i]!)
      rest = last
      overlong = false
      return lines
    },
    end() {
      if (overlong) return [null]
      const line = rest
      rest = ''
      return line === '' ? [] : [finish(line)]
    },
  }
}
