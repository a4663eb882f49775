/** Many values in one request, streamed both ways (decisions 18.1). */

import type { LookupSource, Lookups } from '../../../../connectors/lookups/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { type LineWriter, lineWriters } from '../../../http/answers/line-writer.ts'
import { StreamBody } from '../../../http/answers/stream-body.ts'
import type { LineStream } from '../../../http/bodies/line-stream.ts'
import { NDJSON } from '../../../http/bodies/lines-body.ts'
import { ApiError, asApiError, lineError } from '../../../http/errors.ts'
import type { TakenUnits } from '../../../http/limits/up-to.ts'
import { LIMIT_OF_LINES } from '../bulk/line-codes.ts'
import { type LinePlaces, linePlaces } from '../bulk/line-places.ts'
import { errorLine, newTurns } from '../bulk/portion.ts'
import { lineUnits } from '../bulk/units.ts'
import type { Readers } from '../readers.ts'
import { type ReadAhead, readsAhead } from './read-ahead.ts'
import { portionOf, type Reputations } from './reputation.ts'
import { readLine } from './value-lines.ts'

export const MAX_LINES = 100_000
export const MAX_BYTES = 16 * 1024 * 1024

/** Requests of a process at the same time, of those without credentials among them, and of one caller. */
const AT_ONCE = 64
const AT_ONCE_OF_ANONYMOUS = 32
const AT_ONCE_OF_CALLER = 8
/** Bytes of lines that are read at a time. */
const PORTION = 256 * 1024
/** How often it is asked who the caller is by now, in milliseconds: a right that was lost holds at once. */
const LOOK_MS = 1_000
/** Requests whose whole body is held at the same time, for clients that read nothing before they have sent everything. */
const READ_AHEAD_AT_ONCE = 8

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const LIMITED = { code: LIMIT_OF_LINES, message: 'rate limit exceeded' }

type Ports = {
  source: Pick<LookupSource, 'next'>
  reputations: Reputations
  readers: Pick<Readers, 'of'>
  now: () => number
}

type StreamedValues = {
  /** Whose requests count together: a user, or the network around the address of an anonymous caller. */
  caller: string
  user: Identity | null
  lines: LineStream
  takeUpTo: (units: number) => Promise<TakenUnits>
  /** Who the caller is by now. */
  again: () => Promise<Identity | null>
  /** Whether the answer begins when the body has ended, for a proxy in between: nginx passes none of it on after that. */
  afterBody: boolean
}

/** What is held of one stream: answers that nobody read yet, and lines that have no answer yet. */
type Buffers = { writer: LineWriter; ahead: ReadAhead }

/** Turns of the process for portions of all streams: other requests wait for one portion only. */
const turn = newTurns()

export function reputationStream({ source, reputations, readers, now }: Ports) {
  const newWriter = lineWriters()
  const running = new Map<string, number>()
  let [all, anonymous] = [0, 0]
  const newAhead = readsAhead(READ_AHEAD_AT_ONCE)

  /** Throws 503 while too many are under way. Returns what ends this one. */
  function enter({ caller, user }: StreamedValues): () => void {
    const own = running.get(caller) ?? 0
    const nobodys = user === null ? 1 : 0
    const isFull = all >= AT_ONCE || (user === null && anonymous >= AT_ONCE_OF_ANONYMOUS)
    if (isFull || own >= AT_ONCE_OF_CALLER) throw new ApiError('busy')
    running.set(caller, own + 1)
    all++
    anonymous += nobodys
    return () => {
      all--
      anonymous -= nobodys
      const left = running.get(caller)! - 1
      if (left > 0) running.set(caller, left)
      else running.delete(caller)
    }
  }

  /** Who may read what, looked at again while the body comes. Throws what credentials throw that ended meanwhile. */
  function readerOf({ user, again }: StreamedValues) {
    let groups: readonly string[] = user?.groups ?? [PUBLIC]
    let lookedAt = performance.now()
    return async () => {
      if (performance.now() - lookedAt >= LOOK_MS) {
        groups = (await again())?.groups ?? [PUBLIC]
        lookedAt = performance.now()
      }
      return readers.of(groups)
    }
  }

  async function answer(given: StreamedValues, { writer, ahead }: Buffers, first: Lookups): Promise<void> {
    const { lines, takeUpTo } = given
    const units = lineUnits(takeUpTo, now)
    const reader = readerOf(given)
    const sum = { line: 0, count: 0, answered: 0, refused: 0 }
    /** The first line that has no answer yet, while some are answered. */
    let open = 1
    let firstUntil = performance.now() + LOOK_MS

    function refuse(line: number, error: object): string {
      sum.refused++
      return errorLine(line, error)
    }

    /** Where the next lines are looked up: an answer is of the last second (decisions 18.4). */
    async function lookUp(): Promise<Lookups> {
      const from = performance.now() < firstUntil ? first : await source.next()
      firstUntil = 0
      return from
    }

    /** Answers some lines, in their order. */
    async function answerLines(bytes: Buffer, places: LinePlaces['places'], served: number): Promise<void> {
      for (let at = 0; at < places.length; ) {
        open = places[at]!
        await turn()
        const { audiences } = await reader()
        const from = await lookUp()
        const end = Math.min(places.length, at + portionOf(from) * 3)
        const read = []
        for (; at < end; at += 3) {
          const line = places[at]!
          const of = line > served ? { error: LIMITED } : readLine(bytes.subarray(places[at + 1]!, places[at + 2]!))
          read.push({ line, of })
        }
        const verdicts = await reputations(
          from,
          audiences,
          read.flatMap(({ of }) => ('value' in of ? [of.value] : [])),
        )
        let text = ''
        let next = 0
        for (const { line, of } of read) {
          if ('error' in of) text += refuse(line, of.error)
          else text += `${JSON.stringify(verdicts[next++])}\n`
        }
        sum.answered += next
        writer.write(text)
      }
    }

    /** Returns the first line that is too many; null: none is. */
    async function take(given: Buffer): Promise<number | null> {
      const bytes = sum.line === 0 && given.subarray(0, 3).equals(BOM) ? given.subarray(3) : given
      const found = linePlaces(bytes, sum.line + 1)
      const room = MAX_LINES - sum.count
      const full = found.count > room ? found.places[room * 3]! : null
      const places = full === null ? found.places : found.places.slice(0, room * 3)
      sum.line = found.last
      open = places[0] ?? found.last
      sum.count += places.length / 3
      const served = await units.take({ places, count: places.length / 3, last: found.last }, 0)
      await answerLines(bytes, places, served)
      return full
    }

    const end = (line: number, code: string, message: string): void => writer.write(errorLine(line, { code, message }))
    for (;;) {
      if (!writer.hasRoom()) {
        ahead.begin()
        await writer.room()
      }
      const next = await lines.next(PORTION)
      if (next.kind === 'lines') {
        try {
          const full = await take(next.bytes)
          if (full === null) continue
          return end(full, 'too_many_lines', `the body has more than ${MAX_LINES} lines`)
        } catch (failed) {
          // The first line without an answer says why there is none, when that is of use to the client.
          const error = asApiError(failed)
          if (error.code === 'internal') throw failed
          return void writer.write(errorLine(open, lineError(error)))
        }
      }
      if (next.kind === 'too_large') return end(sum.line + 1, 'too_large', 'the body is too large')
      if (next.kind === 'late') return end(sum.line + 1, 'request_timeout', 'the body took too long')
      const { answered, refused } = sum
      if (next.kind === 'end') writer.write(`${JSON.stringify({ answered, refused })}\n`)
      return
    }
  }

  /** Resolves to the answer, and what its first lines come from. Throws 503 (`busy`). */
  return async (given: StreamedValues): Promise<{ body: StreamBody; by: Lookups['by'] }> => {
    const leave = enter(given)
    const writer = newWriter()
    const ahead = newAhead(given.lines)
    let ended = false
    const end = (): void => {
      if (ended) return
      ended = true
      leave()
      writer.close()
      given.lines.leave()
      ahead.end()
    }
    try {
      const first = await source.next()
      let answering: Promise<void> | null = null
      if (given.afterBody) {
        answering = answer(given, { writer, ahead }, first)
        // Told below, also when the answer has begun meanwhile.
        answering.catch(() => undefined)
        // The rest of the body comes no more once the answer has begun: what no answers have room for is there by then.
        await Promise.race([answering, writer.full().then(() => given.lines.arrived())])
      }
      const body = new StreamBody(NDJSON, async (sink) => {
        sink.signal.addEventListener('abort', () => given.lines.leave(), { once: true })
        writer.open(sink)
        try {
          await (answering ?? answer(given, { writer, ahead }, first))
          await writer.flushed()
          sink.end()
        } finally {
          end()
        }
      })
      return { body, by: first.by }
    } catch (error) {
      end()
      throw error
    }
  }
}

export type ReputationStream = ReturnType<typeof reputationStream>
