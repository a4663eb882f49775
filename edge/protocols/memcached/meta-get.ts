import { Buffer } from 'node:buffer'
import type { Answers } from '../../answers/port.ts'
import { output } from '../bytes/output.ts'
import { numberOf, textOf } from '../bytes/read.ts'
import type { Line } from './lines.ts'
import { ERROR, LONG_KEY, MAX_KEY_BYTES, NOT_TEXT, READ_ONLY, reply, STALE } from './replies.ts'
import { MAX_WORDS, type Words, wordsOf } from './words.ts'

/** `mg`: a value, and facts about it in the order in which its flags ask for them (decisions 19.3). */

const MAX_OPAQUE_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Flags that change nothing in a list that is only read: hints of clients and proxies, and what to do when it writes. */
const IGNORED = 'quLPENRbv'
/** Flags with a fact about a value that is there. */
const FACTS = 'cCfhklOst'

const wordText = (bytes: Buffer, { starts, ends }: Words, i: number): string =>
  bytes.toString('latin1', starts[i]!, ends[i]!)

/** What is wrong with the flags; null: nothing. */
function refusalOf(bytes: Buffer, words: Words): string | null {
  const { starts, ends, count } = words
  if (count === MAX_WORDS) return 'CLIENT_ERROR too many flags'
  for (let i = 2; i < count; i++) {
    const flag = bytes[starts[i]!]!
    for (let k = 2; k < i; k++) if (bytes[starts[k]!] === flag) return 'CLIENT_ERROR duplicate flag'
    const letter = String.fromCharCode(flag)
    // As `gat`: it would change when the value ends.
    if (letter === 'T') return READ_ONLY
    if (!IGNORED.includes(letter) && !FACTS.includes(letter)) return 'CLIENT_ERROR invalid flag'
    if (letter === 'O' && ends[i]! - starts[i]! - 1 > MAX_OPAQUE_BYTES) return 'CLIENT_ERROR opaque token too long'
    if (letter === 'C' && numberOf(bytes, starts[i]! + 1, ends[i]!) < 0)
      return 'CLIENT_ERROR bad token in command line format'
  }
  return null
}

/** Whether a flag is asked for. */
const has = (bytes: Buffer, { starts, count }: Words, flag: string): boolean => {
  for (let i = 2; i < count; i++) if (bytes[starts[i]!] === flag.charCodeAt(0)) return true
  return false
}

/** The key of a line; null: it is none. */
function keyOf(bytes: Buffer, words: Words, isBase64: boolean): string | null {
  if (!isBase64) return textOf(bytes, words.starts[1]!, words.ends[1]!)
  const encoded = wordText(bytes, words, 1)
  if (!BASE64.test(encoded)) return null
  const decoded = Buffer.from(encoded, 'base64')
  return textOf(decoded, 0, decoded.length)
}

/** Writes the facts that are asked for; `size`: bytes of the value, -1: it is not there. */
function facts(bytes: Buffer, words: Words, size: number, sequence: number): void {
  const { starts, ends, count } = words
  for (let i = 2; i < count; i++) {
    const flag = String.fromCharCode(bytes[starts[i]!]!)
    if (flag === 'O') {
      output.text(' ')
      output.copy(bytes, starts[i]!, ends[i]!)
    } else if (flag === 'k') {
      output.text(' k')
      output.copy(bytes, starts[1]!, ends[1]!)
      // The key is written as it was asked.
      if (has(bytes, words, 'b')) output.text(' b')
    } else if (size < 0) continue
    else if (flag === 's') output.text(` s${size}`)
    else if (flag === 'c') output.text(` c${sequence}`)
    else if (flag === 't') output.text(' t-1')
    // Client flags are none, and reads are not counted.
    else if (flag === 'f' || flag === 'h' || flag === 'l') output.text(` ${flag}0`)
  }
}

/** Whether the client says that it has the value at this sequence. */
function isKnown(bytes: Buffer, { starts, ends, count }: Words, sequence: number): boolean {
  for (let i = 2; i < count; i++)
    if (bytes[starts[i]!] === 67) return numberOf(bytes, starts[i]! + 1, ends[i]!) === sequence
  return false
}

/** Answers one `mg`. With `q` a miss is silent, and an error is not. */
export function metaGet(answers: Answers, line: Line): void {
  const { bytes } = line
  const words = wordsOf(line)
  if (words.count < 2) return void reply(ERROR)
  if (words.ends[1]! - words.starts[1]! > MAX_KEY_BYTES) return void reply(LONG_KEY)
  const refusal = refusalOf(bytes, words)
  if (refusal !== null) return void reply(refusal)
  const isBase64 = has(bytes, words, 'b')
  const key = keyOf(bytes, words, isBase64)
  if (key === null) return void reply(isBase64 ? 'CLIENT_ERROR error decoding key' : NOT_TEXT)
  if (answers.isStale()) return void reply(STALE)
  const json = answers.json(key)
  const sequence = answers.sequence()
  if (json === null) {
    if (has(bytes, words, 'q')) return
    output.text('EN')
    facts(bytes, words, -1, sequence)
    return void output.text('\r\n')
  }
  const withValue = has(bytes, words, 'v') && !isKnown(bytes, words, sequence)
  output.text(withValue ? `VA ${json.bytes}` : 'HD')
  facts(bytes, words, json.bytes, sequence)
  if (withValue) output.json('\r\n', json, '\r\n')
  else output.text('\r\n')
}
