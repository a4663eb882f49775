import { type Buffer, isUtf8 } from 'node:buffer'
import type { Answers } from '../../answers/port.ts'
import { output } from '../bytes/output.ts'
import { SPACE, textOf } from '../bytes/read.ts'
import type { Rest } from '../bytes/round.ts'
import type { Line } from './lines.ts'
import { ERROR, LONG_KEY, MAX_KEY_BYTES, NOT_TEXT, reply, STALE } from './replies.ts'

/** Where a word begins, at `at` or behind; `end`: there is none. */
function wordAt(bytes: Buffer, at: number, end: number): number {
  while (at < end && bytes[at] === SPACE) at++
  return at
}

function wordEnd(bytes: Buffer, at: number, end: number): number {
  while (at < end && bytes[at] !== SPACE) at++
  return at
}

/** The value of a key that is listed; of others nothing is said. `cas`: the number that `gets` adds; -1: none. */
function value(answers: Answers, bytes: Buffer, start: number, end: number, cas: number): void {
  const key = textOf(bytes, start, end)!
  const json = answers.json(key)
  if (json === null) return
  const after = ` 0 ${json.bytes}${cas < 0 ? '' : ` ${cas}`}\r\n`
  // As many letters as bytes: ASCII.
  if (key.length === end - start) return void output.json(`VALUE ${key}${after}`, json, '\r\n')
  output.text('VALUE ')
  output.copy(bytes, start, end)
  output.json(after, json, '\r\n')
}

/** Keys one after the other, in as many rounds as it takes. A list that becomes stale meanwhile is the end of the reply. */
function overKeys(answers: Answers, { bytes, start, end }: Line, cas: number): Rest {
  let at = start
  return {
    step(most) {
      let taken = 0
      for (; taken < most && at < end && !answers.isStale(); taken++) {
        const from = at
        at = wordEnd(bytes, at, end)
        value(answers, bytes, from, at, cas)
        at = wordAt(bytes, at, end)
      }
      if (at === end) reply('END')
      else if (taken < most) {
        at = end
        reply(STALE)
      }
      return Math.max(1, taken)
    },
    isOver: () => at === end,
  }
}

/**
 * `get` and `gets` (decisions 19.3): `line` from behind the name of the command.
 * @returns what goes on, of several keys
 */
export function get(answers: Answers, { bytes, start, end }: Line, withCas: boolean): Rest | null {
  const first = wordAt(bytes, start, end)
  if (first === end) return done(ERROR)
  let keys = 0
  let all = 0
  for (let at = first; at < end; keys++) {
    const from = at
    for (; at < end && bytes[at] !== SPACE; at++) all |= bytes[at]!
    if (at - from > MAX_KEY_BYTES) return done(LONG_KEY)
    at = wordAt(bytes, at, end)
  }
  if (all >= 0x80 && !isUtf8(bytes.subarray(first, end))) return done(NOT_TEXT)
  if (answers.isStale()) return done(STALE)
  const cas = withCas ? answers.sequence() : -1
  if (keys > 1) return overKeys(answers, { bytes, start: first, end }, cas)
  value(answers, bytes, first, wordEnd(bytes, first, end), cas)
  return done('END')
}

function done(line: string): null {
  reply(line)
  return null
}
