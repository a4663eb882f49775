/** One request: lines in, records into the log, answers out, each part while the next one comes (decisions 15.1). */

import { setTimeout as sleep } from 'node:timers/promises'
import { LogUnavailable } from '../../../../connectors/availability/port.ts'
import type { EventLog, OutgoingMessage } from '../../../../connectors/log/port.ts'
import type { BulkRequest } from '../../../../connectors/postgres/intelligence/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { MAX_BULK_LINES } from '../../../../schemas/intelligence/ingest/bulk-ids.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import type { LineWriter } from '../../../http/answers/line-writer.ts'
import type { LineStream } from '../../../http/bodies/line-stream.ts'
import { ApiError, asApiError, failure as failureOf, lineError } from '../../../http/errors.ts'
import { authorise } from '../../../http/middleware/identity.ts'
import type { BodyMark, HeldKey } from './key.ts'
import type { EndOfBody } from './line-codes.ts'
import { linePlaces } from './line-places.ts'
import { errorLine, makePortion, type Portion } from './portion.ts'
import type { LineUnits } from './units.ts'

type Ranges = BulkRequest['limited']

/** The ranges of lines with one that stands after all of them: one that follows the last at once makes it longer. */
export function withRange(ranges: Readonly<Ranges>, [first, end]: Ranges[number]): Ranges {
  const last = ranges.at(-1)
  if (last === undefined || last[1] + 1 < first) return [...ranges, [first, end]]
  return [...ranges.slice(0, -1), [last[0], end]]
}

/** How often it is asked whether a caller may still report, in milliseconds. */
const LOOK_MS = 5_000

/**
 * Looks again who the caller is while its body comes, at most every few seconds (decisions 15.1; ADR 273). Lines are read as the caller was at the beginning, so the
 * check throws 401 or 403 also when a group that it had then is gone.
 * @param whoNow who the caller is by now; throws when its credentials do not hold any more
 * @param at when the caller was looked up last, by the clock of `performance`
 */
function callerCheck(user: Identity, whoNow: () => Promise<Identity | null>, at: number): () => Promise<void> {
  let lookedAt = at
  return async () => {
    if (performance.now() - lookedAt < LOOK_MS) return
    lookedAt = performance.now()
    const now = await whoNow()
    authorise({ access: 'reporter', scope: 'ingest', whole: null }, now)
    if (!user.groups.every((group) => now!.groups.includes(group)))
      throw new ApiError('forbidden', { message: 'a group of the caller is gone; send the body again' })
  }
}

export type IntakePorts = {
  bulkLog: Pick<EventLog, 'send'>
  encodeObservation: (observation: Observation) => Buffer
  /** Told of records that are durable. */
  counted: (observations: number) => void
  now: () => number
  newId: () => string
}

export type Intake = {
  user: Identity
  /** Who the caller is by now. */
  whoNow: () => Promise<Identity | null>
  lines: LineStream
  writer: LineWriter
  units: LineUnits
  /** null: without a key. */
  key: HeldKey | null
  /** What was answered before. */
  before: { lines: number; count: number; accepted: number; rejected: number }
}

/** How it ended. `clean`: nothing is on its way to the log any more. */
export type IntakeEnd = { clean: boolean }

/** Bytes of lines that are read at a time: some thousand lines. */
const PORTION = 512 * 1024
/** How long the log may take, in milliseconds: as for a single report. */
const SEND_MS = 10_000

/** `first`: the first line that has no answer. */
type Failure = { failed: unknown; first: number }

type Made = Portion & { first: number; lines: number; mark: BodyMark | null; limited: BulkRequest['limited'] }

/** Takes lines until the body or the client ends, or something fails; writes the last lines of the answer. Never rejects for what a client did. */
export async function takeIn(
  ports: IntakePorts,
  { user, whoNow, lines, writer, units, key, before }: Intake,
): Promise<IntakeEnd> {
  const sum = { ...before }
  let limited: BulkRequest['limited'] = key === null ? [] : key.request.limited
  let last: BodyMark | null = key && { bytes: key.request.bytes, digest: key.request.digest }
  // To compare what was taken before takes as long as the client likes.
  const checkCaller = callerCheck(user, whoNow, before.lines > 0 ? Number.NEGATIVE_INFINITY : performance.now())
  let sent: Promise<unknown> = Promise.resolve()
  let clean = true

  /** Throws 500 (`publish_failed`) when the log does not say in time that all are durable. */
  async function publish(messages: OutgoingMessage[]): Promise<void> {
    await key?.hold()
    const late = new AbortController()
    clean = false
    sent = ports.bulkLog.send([{ topic: OBSERVATIONS, messages }])
    try {
      const timeout = sleep(SEND_MS, null, { signal: late.signal }).then(() =>
        Promise.reject(new LogUnavailable('is late')),
      )
      await Promise.race([sent, timeout])
    } catch (cause) {
      sent.catch(() => undefined)
      throw failureOf('publish_failed', cause)
    } finally {
      late.abort()
    }
    clean = true
    ports.counted(messages.length)
  }

  async function deliver({ answers, messages, accepted, rejected, mark, ...made }: Made): Promise<void> {
    if (messages.length > 0) await publish(messages)
    if (key !== null) await key.advance({ ...mark!, lines: made.lines, limited: made.limited, finished: false })
    sum.accepted += accepted
    sum.rejected += rejected
    writer.write(answers)
  }

  async function make(given: Buffer): Promise<Made & { full: number | null }> {
    const first = sum.lines + 1
    const all = linePlaces(given, first)
    const room = MAX_BULK_LINES - sum.count
    const full = all.count > room ? all.places[room * 3]! : null
    // A repeat answers what was taken: nothing from the line on that is too many.
    const bytes = full === null ? given : given.subarray(0, all.places[room * 3 + 1])
    const places = full === null ? all : linePlaces(bytes, first)
    sum.lines = places.last
    sum.count += places.count
    const served = await units.take(places, key?.durable.lastLine ?? 0)
    const end = places.places.at(-3) ?? 0
    if (served < end) limited = withRange(limited, [Math.max(first, served + 1), end])
    last = key?.add(bytes) ?? null
    const now = key?.request.startedAt ?? ports.now()
    const portion = await makePortion(bytes, places, {
      user,
      observedAt: now,
      idsOf: (line) => idsOf(line),
      isLimited: (line) => line > served,
      isDurable: (id) => key?.durable.ids.has(id) ?? false,
      encode: ports.encodeObservation,
    })
    return { ...portion, first, lines: sum.lines, mark: last, limited, full }
  }

  const idsOf = (line: number) => {
    if (key === null) return { submissionId: ports.newId(), nextId: ports.newId }
    let index = 0
    return { submissionId: key.ids.submission(line), nextId: () => key.ids.observation(line, index++) }
  }

  let delivered: Promise<Failure | null> = Promise.resolve(null)
  /** Resolves once the delivery has failed, and never without that. */
  let failing: Promise<null> = new Promise(() => undefined)
  const deliverNext = (made: Made): void => {
    delivered = deliver(made).then(
      () => null,
      (failed: unknown) => ({ failed, first: made.first }),
    )
    failing = new Promise((resolve) => delivered.then((failure) => failure !== null && resolve(null)))
  }

  let ending = ''
  let refused: Failure | null = null
  for (;;) {
    await writer.room()
    // A client that waits for its answers is told of a failure before it sends more.
    const next = await Promise.race([lines.next(PORTION), failing])
    if (next === null) break
    if (next.kind === 'lines') {
      const first = sum.lines + 1
      const made = await checkCaller()
        .then(() => make(next.bytes))
        .catch((failed: unknown) => {
          refused = { failed, first }
          return null
        })
      if (made === null) break
      if ((await delivered) !== null) break
      deliverNext(made)
      if (made.full === null) continue
      ending = errorLine(made.full, fault('too_many_lines', `the body has more than ${MAX_BULK_LINES} lines`))
    } else if (next.kind === 'too_large') {
      ending = errorLine(sum.lines + 1, fault('too_large', 'the body is too large'))
    } else if (next.kind === 'late') {
      ending = errorLine(sum.lines + 1, fault('request_timeout', 'the body took too long'))
    } else if (next.kind === 'end') ending = 'end'
    break
  }
  const failure = (await delivered) ?? refused
  if (failure !== null) return fail(failure)
  if (ending === 'end') {
    const limit = { lines: sum.lines, limited, finished: true }
    const progress = last ?? { bytes: 0, digest: Buffer.alloc(0) }
    try {
      await key?.advance({ ...progress, ...limit })
    } catch (failed) {
      return fail({ failed, first: sum.lines + 1 })
    }
    const { accepted, rejected } = sum
    ending = `${JSON.stringify({ accepted, rejected })}\n`
  }
  writer.write(ending)
  return { clean }

  /** The rest says nothing; the first line of it says why, when that is of use to the client. */
  async function fail({ failed, first }: Failure): Promise<IntakeEnd> {
    const error = asApiError(failed)
    if (error.code !== 'internal') writer.write(errorLine(first, lineError(error)))
    // What the log was given may still arrive: the key is kept until that is over.
    await sent.catch(() => undefined)
    if (error.code === 'internal') throw failed
    return { clean }
  }
}

const fault = (code: EndOfBody, message: string) => ({ code, message })
