import { deadTopic } from '../../../schemas/log/topics.ts'
import { type LetterPlace, letterHeaders, letterId } from '../../../schemas/operation/dead-letter.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import { type DeadLetter, MAX_LETTERS } from './port.ts'

/** A dead letter as stored on its topic, without its outcome. */
export type DeadLetterEntry = Omit<DeadLetter, 'state' | 'outcome'> & { place: LetterPlace }

/** Bounds of one read: a record may have up to two mebibytes. */
export const STEP = { records: 10_000, bytes: 16 * 1024 * 1024 }
const MAX_KEY = 200

/**
 * The dead letters of one topic, oldest first, without their payloads. Each call continues where the last one ended.
 * When a record became a dead letter several times, the first one stands for all.
 */
export function deadLetterEntries(log: Pick<EventLog, 'offsets' | 'read'>, topic: string) {
  let entries: DeadLetterEntry[] = []
  const known = new Set<string>()
  /** Reasons repeat across many dead letters; equal texts share one string. */
  const reasons = new Map<string, string>()
  const next = new Map<number, number>()
  let last: Promise<unknown> = Promise.resolve()

  function add(partition: number, message: LogMessage): void {
    const { reason, ...headers } = letterHeaders(message.headers)
    const name = identity(headers)
    if (known.has(name)) return
    known.add(name)
    if (!reasons.has(reason)) reasons.set(reason, reason)
    const place = { topic, partition, offset: message.offset }
    entries.push({
      id: letterId(place),
      place,
      ...headers,
      reason: reasons.get(reason)!,
      key: message.key === null ? null : message.key.toString('utf8', 0, MAX_KEY * 4).slice(0, MAX_KEY),
      bytes: message.value?.length ?? 0,
      buriedAt: message.timestamp,
    })
  }

  /** Drops entries that retention has removed, and the oldest ones beyond the limit. */
  function forget(lows: ReadonlyMap<number, number>): void {
    const beyond = entries.length - MAX_LETTERS
    const kept = entries.filter(({ place }, i) => i >= beyond && place.offset >= (lows.get(place.partition) ?? 0))
    if (kept.length === entries.length) return
    entries = kept
    known.clear()
    reasons.clear()
    for (const entry of kept) {
      known.add(identity(entry))
      reasons.set(entry.reason, entry.reason)
    }
  }

  async function readOn(): Promise<readonly DeadLetterEntry[]> {
    const lows = new Map<number, number>()
    for (const { partition, low, high } of await log.offsets(deadTopic(topic))) {
      lows.set(partition, low)
      for (let at = Math.max(low, next.get(partition) ?? 0); at < high; ) {
        const messages = await log.read(deadTopic(topic), partition, at, high, STEP.records, STEP.bytes)
        for (const message of messages) add(partition, message)
        // Retention may remove records during the read.
        at = (messages.at(-1)?.offset ?? high - 1) + 1
        next.set(partition, at)
        forget(lows)
      }
    }
    forget(lows)
    return entries
  }

  return (): Promise<readonly DeadLetterEntry[]> => {
    const reading = last.catch(() => undefined).then(readOn)
    last = reading
    return reading
  }
}

/**
 * Each handler of account events writes its own dead letter for the same record. The timestamp and the id of the
 * replayed dead letter distinguish records that had the same offset, for example on a log that was recreated.
 */
const identity = ({ origin, handler, replayedFrom }: Pick<DeadLetter, 'origin' | 'handler' | 'replayedFrom'>): string =>
  `${origin.partition}/${origin.offset}/${origin.at}/${handler ?? ''}/${replayedFrom ?? ''}`
