import { WORD } from '../../../../schemas/intelligence/state/terms.ts'
import type { Binder } from './binder.ts'

const SURROGATES: readonly [number, number] = [0xd800, 0xdfff]

/**
 * The characters of words as ranges. `\pL` would be shorter, but the store knows fewer letters than we do: a word has to
 * be the same one wherever it is cut out.
 */
function ranges(): string {
  const one = new RegExp(WORD.source, 'u')
  const found: string[] = []
  let from = -1
  for (let code = 0; code <= 0x110000; code++) {
    const surrogate = code >= SURROGATES[0] && code <= SURROGATES[1]
    const within = code < 0x110000 && !surrogate && one.test(String.fromCodePoint(code))
    if (within && from < 0) from = code
    if (within || from < 0) continue
    found.push(`\\x{${from.toString(16)}}-\\x{${(code - 1).toString(16)}}`)
    from = -1
  }
  return found.join('')
}

/** The same, of what is ASCII alone. */
const ASCII = '[0-9A-Za-z]+'

let pattern: string | undefined

/** The words of a lower-cased text, in order, as Array(String): those of `tokens`, however long and many. */
export function wordsOf(lower: string, b: Binder): string {
  // A tenth of a second of work, for the first search that needs it.
  pattern ??= `[${ranges()}]+`
  const cut = (ranges: string): string => `extractAll(${lower}, ${b.bind(ranges, 'String')})`
  // The store compiles a pattern for every block of rows it meets, and 825 ranges take it longer than the rows do.
  return `if(isValidASCII(${lower}), ${cut(ASCII)}, ${cut(pattern)})`
}

const WHOLE = new RegExp(`^${WORD.source}$`, 'u')

/** Whether a lower-cased text is one word. */
export const isWord = (text: string): boolean => WHOLE.test(text)
