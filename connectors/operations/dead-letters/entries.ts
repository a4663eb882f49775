import { deadTopic } from '../../../schemas/log/topics.ts'
import { type LetterPlace, letterHeaders, letterId } from '../../../schemas/operation/dead-letter.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import { type DeadLetter, MAX_LETTERS } from './port.ts'

/** A letter as it lies there, whatever became of it. */
export type DeadLetterEntry = Omit<DeadLetter, 'state' | 'outcome'> & { place: LetterPlace }

/** One read: records carry up to two mebibytes. */
export const STEP = { records: 10_000, bytes: 16 * 1024 * 1024 }
const MAX_KEY = 200

/**
 * The letters of one topic, oldest first: everything that is said of them but their bytes. Each call reads on where the
 * last one ended. Of a record that was buried several times the first letter stands for all.
 */
export function deadLetterEntries(log: Pick<EventLog, 'offsets' | 'read'>, topic: string) {
  let entries: DeadLetterEntry[] = []
  const known = new Set<string>()
  /** A reason is said of many letters. */
  const reasons = new Map<string, string>()
  const next = new Map<number, number>()
  let last: Promise<unknown> = Promise.resolve()

  function add(partition: number, message: LogMessage): void {
    const { reason, ...said } = letterHeaders(message.headers)
    const name = identity(said)
    if (known.has(name)) return
    known.add(name)
    if (!reasons.has(reason)) reasons.set(reason, reason)
    const place = { topic, partition, offset: message.offset }
    entries.push({
      id: letterId(place),
      place,
      ...said,
      reason: reasons.get(reason)!,
      key: message.key === null ? null : message.key.toString('utf8', 0, MAX_KEY * 4).slice(0, MAX_KEY),
      bytes: message.value?.length ?? 0,
      buriedAt: message.timestamp,
    })
  }

  /** What retention took is gone, and so is what is more than fits. */
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
        // Retention may take records away while they are read.
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
 * Handlers of account events bury one record each for themselves. Time and letter tell records apart that stood at the
 * same offset, as on a log that was made anew.
 */
const identity = ({ origin, handler, replayedFrom }: Pick<DeadLetter, 'origin' | 'handler' | 'replayedFrom'>): string =>
  `${origin.partition}/${origin.offset}/${origin.at}/${handler ?? ''}/${replayedFrom ?? ''}`
