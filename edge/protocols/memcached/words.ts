import { SPACE } from '../bytes/read.ts'
import type { Line } from './lines.ts'

/** Words of a line by their places: word `i` is from `starts[i]` to `ends[i]`. */
export type Words = { starts: number[]; ends: number[]; count: number }

/** More than any command has but `get`; the last place is of the last word. */
export const MAX_WORDS = 32

/** Where the words of a line are, the first 32 of them. */
export function wordsOf({ bytes, start, end }: Line): Words {
  const words: Words = { starts: [], ends: [], count: 0 }
  for (let i = start; i < end && words.count < MAX_WORDS; i++) {
    if (bytes[i] === SPACE) continue
    words.starts.push(i)
    while (i < end && bytes[i] !== SPACE) i++
    words.ends.push(i)
    words.count++
  }
  return words
}
