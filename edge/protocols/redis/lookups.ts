import { isUtf8 } from 'node:buffer'
import { type Answers, MAX_KEY_BYTES } from '../../answers/port.ts'
import { textOf } from '../bytes/read.ts'
import type { Rest } from '../bytes/round.ts'
import type { Command, Connection } from './connection.ts'
import type { Request } from './requests.ts'
import { array, error, integer, status, verdict } from './resp.ts'

/** The commands that say something of a value: each of them first asks whether anything may be said (decisions 19.4). */

const STALE = 'ERR stale: the list is too old, or was not read yet'
const LONG = `ERR key is longer than ${MAX_KEY_BYTES} bytes`
const NOT_TEXT = 'ERR key is not UTF-8'

const keyOf = ({ bytes, starts, ends }: Request, i: number): string | null => textOf(bytes, starts[i]!, ends[i]!)

/** The one key of a command; null: it was refused. */
function oneKey(answers: Answers, request: Request): string | null {
  if (answers.isStale()) error(STALE)
  else if (request.ends[1]! - request.starts[1]! > MAX_KEY_BYTES) error(LONG)
  else {
    const key = keyOf(request, 1)
    if (key === null) error(NOT_TEXT)
    return key
  }
  return null
}

/** By what GET says, which is kept between two that ask. */
const isListed = (answers: Answers, key: string): boolean => answers.json(key) !== null

/** GET. */
export function get({ answers, resp }: Connection, request: Request): void {
  const key = oneKey(answers, request)
  if (key !== null) verdict(resp, answers.json(key))
}

/** A command whose one key is there, or not. */
const byListed =
  (reply: (isThere: boolean) => void): Command['run'] =>
  ({ answers }, request) => {
    const key = oneKey(answers, request)
    if (key !== null) reply(isListed(answers, key))
  }

/** Whether all keys of a command over many may be asked for; else it was refused, once. */
function isAskable(answers: Answers, { bytes, starts, ends, count }: Request): boolean {
  if (answers.isStale()) error(STALE)
  else if (starts.some((start, i) => i > 0 && i < count && ends[i]! - start > MAX_KEY_BYTES)) error(LONG)
  // Between two of them is ASCII, so one look is enough for all.
  else if (!isUtf8(bytes.subarray(starts[1]!, ends[count - 1]!))) error(NOT_TEXT)
  else return true
  return false
}

/** Keys one after the other, in as many rounds as it takes. `each` is not asked for what comes after an end. */
function overKeys(request: Request, each: (key: string) => boolean, last: () => void): Rest {
  let next = 1
  return {
    step(most) {
      const from = next
      const to = Math.min(request.count, from + most)
      while (next < to && each(keyOf(request, next)!)) next++
      const taken = Math.max(1, next - from)
      if (next < to) next = request.count
      else if (next === request.count) last()
      return taken
    },
    isOver: () => next === request.count,
  }
}

/** MGET: the list is written as it is answered, and what became stale meanwhile is an error in the place of the key. */
function mget({ answers, resp }: Connection, request: Request): Rest | null {
  if (!isAskable(answers, request)) return null
  array(request.count - 1)
  const each = (key: string): boolean => {
    if (answers.isStale()) error(STALE)
    else verdict(resp, answers.json(key))
    return true
  }
  return overKeys(request, each, () => {})
}

/** EXISTS: a key counts as often as it is asked for. */
function exists({ answers }: Connection, request: Request): Rest | null {
  if (!isAskable(answers, request)) return null
  let found = 0
  const each = (key: string): boolean => {
    if (answers.isStale()) {
      error(STALE)
      return false
    }
    if (isListed(answers, key)) found++
    return true
  }
  return overKeys(request, each, () => integer(found))
}

const lookup = (keys: 'first' | 'all', group: string, summary: string, run: Command['run']): Command => ({
  arity: keys === 'all' ? -2 : 2,
  flags: ['readonly', 'fast'],
  keys,
  group,
  summary,
  run,
})

const overMany =
  (begin: (connection: Connection, request: Request) => Rest | null): Command['run'] =>
  (connection, request) => {
    connection.rest = begin(connection, request)
  }

export const LOOKUPS: Record<string, Command> = {
  get: lookup('first', 'string', 'The verdict on a value as JSON, or nil.', get),
  mget: lookup('all', 'string', 'The verdicts on several values.', overMany(mget)),
  exists: lookup('all', 'generic', 'How many of the values are listed.', overMany(exists)),
  ttl: lookup(
    'first',
    'generic',
    'Listed values have no end.',
    byListed((isThere) => integer(isThere ? -1 : -2)),
  ),
  type: lookup(
    'first',
    'generic',
    'What a listed value is stored as.',
    byListed((isThere) => status(isThere ? 'string' : 'none')),
  ),
}
