import type { Answers } from '../../answers/port.ts'
import { isWord, SPACE } from '../bytes/read.ts'
import { type Conversation, round } from '../bytes/round.ts'
import type { Session } from '../session.ts'
import { get } from './gets.ts'
import { createLines, type Next } from './lines.ts'
import { metaGet } from './meta-get.ts'
import { refused } from './refused.ts'
import { ERROR, READ_ONLY, reply } from './replies.ts'
import { wordsOf } from './words.ts'

export type MemcachedOptions = {
  /** Of Harrier. */
  version: string
  /** Unix milliseconds, for `stats`. */
  now?: () => number
}

/** The memcached that the answers are like: libmemcached refuses a version that begins with 0. */
const MEMCACHED_VERSION = '1.6.18'
/** Longer than the name of any command. */
const MAX_NAME_BYTES = 16

/** Facts about the server. None of them is of the process. */
function stats(answers: Answers, version: string, nowMs: number): void {
  const age = answers.ageSeconds()
  reply(`STAT version ${MEMCACHED_VERSION}`)
  reply(`STAT harrier_version ${version}`)
  reply(`STAT time ${Math.floor(nowMs / 1000)}`)
  reply(`STAT curr_items ${answers.size()}`)
  reply(`STAT feed_sequence ${answers.sequence()}`)
  // None before the platform first answered.
  if (age !== null) reply(`STAT feed_age ${Math.floor(age)}`)
  reply(`STAT stale ${answers.isStale() ? 1 : 0}`)
}

/**
 * One connection of the text protocol of memcached (decisions 19.3). A key of `get` counts as a request of a round.
 * What is stored is read to its end and refused; after a length that cannot be right the connection ends.
 */
export function memcachedSession(answers: Answers, { version, now = Date.now }: MemcachedOptions): Session {
  const lines = createLines()
  const { line } = lines
  /** What was read and not answered yet. */
  let next: Next = 'wait'
  /** Whether the store whose data comes is to be refused without a word. */
  let isSilent = false

  const end = (why?: string): void => {
    conversation.ends = true
    if (why !== undefined) reply(why)
  }

  /** Commands that change something, and those that are none. */
  const refuse = (name: string): void => {
    const { bytes } = line
    const what = refused(name, bytes, wordsOf(line))
    if (what.kind === 'none') {
      if (lines.isForeign()) end()
      else reply(ERROR)
    } else if (what.kind === 'change') {
      if (!what.isSilent) reply(READ_ONLY)
    } else if (what.kind === 'store') {
      isSilent = what.isSilent
      lines.expect(what.dataBytes)
    } else end(what.isSilent ? undefined : 'CLIENT_ERROR bad length of data')
  }

  const runNamed = (name: string, nameEnd: number): void => {
    const { bytes } = line
    if (name === 'get' || name === 'gets') {
      const keys = { bytes, start: nameEnd, end: line.end }
      conversation.rest = get(answers, keys, name === 'gets')
    } else if (name === 'mg') metaGet(answers, line)
    else if (name === 'mn') reply('MN')
    else if (name === 'version') reply(`VERSION ${MEMCACHED_VERSION}`)
    else if (name === 'quit') end()
    else if (name === 'stats') {
      // Of what is kept of each size, and so on, there is nothing.
      if (nameEnd === line.end) stats(answers, version, now())
      reply('END')
    } else if (name === 'verbosity') {
      const { starts, ends, count } = wordsOf(line)
      if (count < 2) reply(ERROR)
      else if (!isWord(bytes, starts[count - 1]!, ends[count - 1]!, 'noreply')) reply('OK')
    } else refuse(name)
  }

  const conversation: Conversation = {
    ends: false,
    rest: null,
    isWaiting() {
      if (next === 'wait') next = lines.next()
      return next !== 'wait'
    },
    run() {
      const what = next
      next = 'wait'
      if (what === 'line') {
        const { bytes, start } = line
        let nameEnd = start
        while (nameEnd < line.end && bytes[nameEnd] !== SPACE) nameEnd++
        const name = nameEnd - start > MAX_NAME_BYTES ? '' : bytes.toString('latin1', start, nameEnd)
        runNamed(name, nameEnd)
      } else if (what === 'data') {
        if (!isSilent) reply(READ_ONLY)
      } else if (what === 'no-end') end(isSilent ? undefined : 'CLIENT_ERROR bad data chunk')
      else if (what === 'long') end('CLIENT_ERROR line is too long')
      else end()
    },
    settle: lines.settle,
    clear: lines.clear,
  }

  return {
    push(bytes) {
      if (!conversation.ends) lines.push(bytes)
    },
    answer: (most) => round(conversation, most),
  }
}
