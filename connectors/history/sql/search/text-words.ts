import { WORD } from '../../../../schemas/intelligence/state/terms.ts'
import type { Binder } from './binder.ts'

const SURROGATES: readonly [number, number] = [0xd800, 0xdfff]

/**
 * The characters of words as ranges; none of them needs an escape. `\pL` would be shorter, but the store knows fewer letters
 * than we do: a word has to be the same one wherever it is cut out.
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
    found.push(`${String.fromCodePoint(from)}-${String.fromCodePoint(code - 1)}`)
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
  const cut = (text: string, ranges: string): string => `extractAll(${text}, ${b.bind(ranges, 'String')})`
  const ascii = `isValidASCII(${lower})`
  // The store compiles a pattern while it plans, and again for every block of rows: the one of 825 ranges, which takes it
  // longer than the rows do, only where a list of texts has one.
  const rest = `arrayFlatten(arrayMap(l -> ${cut('l', pattern)}, if(${ascii}, emptyArrayString(), [${lower}])))`
  return `if(${ascii}, ${cut(lower, ASCII)}, ${rest})`
}

const WHOLE = new RegExp(`^${WORD.source}$`, 'u')

/** Whether a lower-cased text is one word. */
export const isWord = (text: string): boolean => WHOLE.test(text)
