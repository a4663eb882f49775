/** Handlers of account events over the log: in order per key, each event once, failures out of the way (ADR 122). */

import type { EventLog, LogMessage } from '../../../connectors/log/port.ts'
import type { LifecycleStore, Parked } from '../../../connectors/postgres/lifecycle/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { LifecycleEvent, LifecycleGroup, LifecycleRecord } from '../../../schemas/accounts/lifecycle.ts'
import { lifecycleKey } from '../../../schemas/accounts/lifecycle.ts'
import { readLifecycle } from '../../../schemas/accounts/lifecycle-read.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import { records } from '../../../schemas/log/records.ts'
import { ACCOUNT_LIFECYCLE, deadTopic } from '../../../schemas/log/topics.ts'
import { isFor, replayedFrom } from '../../../schemas/operation/dead-letter.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import { type DeadRecord, deadLetterOf } from '../../runtime/dead-letter.ts'
import { batchDecoder, type DecodedRecord } from '../../runtime/decode.ts'
import { type Job, PORTION } from '../../runtime/job.ts'
import type { FollowUp, Handler } from './handlers/handler.ts'

export type LifecyclePorts = {
  log: Pick<EventLog, 'send'> & Partial<Pick<EventLog, 'read'>>
  breakerOf?: (group: LifecycleGroup) => Breaker
  registry: Registry
  store: LifecycleStore
  /** Unix milliseconds. */
  now: () => number
  /** What became of an event: applied, repeated (done before), waiting (for another try, its own or of one before it), dead. */
  onEvent: (handler: LifecycleGroup, outcome: 'applied' | 'repeated' | 'waiting' | 'dead') => void
  onFailure: (
    error: Error,
    about: { handler: LifecycleGroup; event?: string; type?: string; attempts?: number },
  ) => void
}

/** Before the second try and every later one; who still fails then is dead. */
export const PAUSES_MS = [1_000, 10_000, 60_000, 600_000] as const

/** Events of a portion: each is a transaction of its own. */
const EVENTS_A_BATCH = 500
const RETRIES_AT_ONCE = 50
const MAX_REASON = 500

const eventDecoder = (registry: Registry) => batchDecoder<LifecycleRecord>(records.lifecycle, registry)

/**
 * Under which id it is noted that an event was handled. What died is noted as handled, so that its replay has an id of
 * its own: of the letter, so that the same letter put back twice is handled once.
 */
function noteOf(event: LifecycleEvent, message: Pick<LogMessage, 'headers'>): string {
  const letter = replayedFrom(message)
  return letter === null ? event.id : namedUuid(`${event.id} of ${letter}`)
}

/** Applies an event once, noted under `note`. False: it was done before. */
export async function applyOnce(
  handler: Handler,
  ports: Pick<LifecyclePorts, 'store' | 'now' | 'onFailure'>,
  event: LifecycleEvent,
  note: string = event.id,
): Promise<boolean> {
  await handler.before?.(event)
  let followUp: FollowUp | undefined
  const done = await ports.store.once(handler.name, note, ports.now(), async (effects) => {
    followUp = await handler.apply(event, effects)
  })
  const reportFailure = (error: unknown) =>
    ports.onFailure(error as Error, { handler: handler.name, event: event.id, type: event.type })
  if (done) await followUp?.().catch(reportFailure)
  return done
}

/**
 * account.lifecycle -> decode -> apply, or wait, or dead
 * An event that fails is parked with a time for its next try, and the following events of its key behind it, so that
 * the position advances for all other keys. Rejects only when the database or the log is unavailable: then the batch
 * is delivered again.
 */
export function lifecycleJob(handler: Handler, ports: LifecyclePorts): Job {
  const { store, now, onEvent } = ports
  const decode = eventDecoder(ports.registry)
  const breaker = ports.breakerOf?.(handler.name)

  async function handle({ message }: DecodedRecord<LifecycleRecord>, partition: number, event: LifecycleEvent) {
    const key = lifecycleKey(event)
    const eventId = noteOf(event, message)
    const park = (attempts: number, nextAt: number, reason: string) => {
      onEvent(handler.name, 'waiting')
      const place = { record: message.value!, partition, offset: message.offset, time: message.timestamp }
      return store.park({ handler: handler.name, key, eventId, ...place, attempts, nextAt, reason })
    }
    if (await store.waits(handler.name, key)) return park(0, now(), 'an earlier event with the same key is waiting')
    try {
      onEvent(handler.name, (await applyOnce(handler, ports, event, eventId)) ? 'applied' : 'repeated')
    } catch (error) {
      ports.onFailure(error as Error, { handler: handler.name, event: event.id, type: event.type, attempts: 1 })
      await park(1, now() + PAUSES_MS[0], reasonOf(error))
    }
  }

  return {
    group: handler.name,
    topics: [ACCOUNT_LIFECYCLE],
    ...PORTION,
    maxRecords: EVENTS_A_BATCH,
    async eachBatch(batch) {
      const { records: found, dead } = await decode(batch.messages.filter((message) => isFor(handler.name, message)))
      const events: { record: DecodedRecord<LifecycleRecord>; event: LifecycleEvent }[] = []
      for (const record of found) {
        const read = readLifecycle(record.value)
        if (!read.ok) dead.push({ message: record.message, reason: read.reason })
        else if (read.event !== null) events.push({ record, event: read.event })
      }
      breaker?.judge(batch, dead)
      for (const { record, event } of events) {
        // What was done is noted, so a batch that is cut here may be handed out again.
        if (batch.signal.aborted) throw new Error('the partition was revoked')
        await handle(record, batch.partition, event)
      }
      for (const one of dead) await moveToDeadLetters(handler.name, ports, batch.partition, one)
    },
  }
}

/** Tries what is due again, one event of each key; returns how many were tried. */
export async function retryOnce(handlers: readonly Handler[], ports: LifecyclePorts): Promise<number> {
  const decode = eventDecoder(ports.registry)
  let tried = 0
  for (const parked of await ports.store.due(ports.now(), RETRIES_AT_ONCE)) {
    const handler = handlers.find(({ name }) => name === parked.handler)
    if (handler === undefined) continue
    await retryParked(handler, ports, parked, decode)
    tried++
  }
  return tried
}

async function retryParked(
  handler: Handler,
  ports: LifecyclePorts,
  parked: Parked,
  decode: ReturnType<typeof eventDecoder>,
): Promise<void> {
  const { record: value, offset, time: timestamp, key, eventId } = parked
  const message = { offset, timestamp, key: Buffer.from(key), value, headers: {} }
  const { records: found } = await decode([message])
  const read = found[0] === undefined ? null : readLifecycle(found[0].value)
  const about = { handler: handler.name, event: eventId, attempts: parked.attempts + 1 }
  try {
    if (!read?.ok || read.event === null) throw new Error('the waiting event can no longer be decoded')
    ports.onEvent(handler.name, (await applyOnce(handler, ports, read.event, eventId)) ? 'applied' : 'repeated')
  } catch (error) {
    ports.onFailure(error as Error, about)
    const attempts = parked.attempts + 1
    const reason = reasonOf(error)
    const pause = PAUSES_MS[attempts - 1]
    if (pause !== undefined) return ports.store.postpone({ ...parked, attempts, nextAt: ports.now() + pause, reason })
    // The headers of a replayed record say so; the row does not.
    const replay = read?.ok && read.event !== null && read.event.id !== eventId
    const headers = replay ? await headersOf(ports, parked) : {}
    await moveToDeadLetters(handler.name, ports, parked.partition, {
      message: { ...message, headers },
      reason,
      attempts,
    })
    // Marked as done only after it became a dead letter: a crash in between writes it twice rather than never.
    await ports.store.once(handler.name, eventId, ports.now(), async () => undefined)
  }
}

/** The headers of the record on the log; none when the record is no longer on the log. */
async function headersOf({ log }: LifecyclePorts, { partition, offset }: Parked): Promise<LogMessage['headers']> {
  const [found] = (await log.read?.(ACCOUNT_LIFECYCLE, partition, offset, offset + 1, 1)) ?? []
  return found?.headers ?? {}
}

async function moveToDeadLetters(
  handler: LifecycleGroup,
  ports: LifecyclePorts,
  partition: number,
  dead: DeadRecord,
): Promise<void> {
  const letter = deadLetterOf({ topic: ACCOUNT_LIFECYCLE, partition }, dead, handler)
  await ports.log.send([{ topic: deadTopic(ACCOUNT_LIFECYCLE), messages: [letter] }])
  ports.onEvent(handler, 'dead')
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON)
