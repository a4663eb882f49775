import { BURYING, deadTopic } from '../../../schemas/log/topics.ts'
import { type Outcome, replayHeaders } from '../../../schemas/operation/dead-letter.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import { type DeadLetterEntry, STEP } from './entries.ts'
import type { DeadLetterLookup } from './lookup.ts'
import type { DeadLetters } from './port.ts'
import { replaySeals } from './seals.ts'
import { selectDeadLetters } from './select.ts'

type DeadRecord = { entry: DeadLetterEntry; message: LogMessage }

/**
 * The records of these dead letters in the order of each partition, in groups that fit into memory. Records between
 * two of them are read only when that does not cost an additional read.
 */
async function* recordsOf(
  log: Pick<EventLog, 'read'>,
  entries: readonly DeadLetterEntry[],
): AsyncGenerator<DeadRecord[]> {
  for (const [at, waiting] of byPartition(entries)) {
    const [topic, partition] = at
    const wanted = new Map(waiting.map((entry) => [entry.place.offset, entry]))
    const end = waiting.at(-1)!.place.offset + 1
    for (let next = waiting[0]!.place.offset, i = 0; next < end; ) {
      const to = Math.min(end, next + STEP.records)
      const messages = await log.read(deadTopic(topic), partition, next, to, STEP.records, STEP.bytes)
      const found = messages.flatMap((message) => {
        const entry = wanted.get(message.offset)
        return entry === undefined ? [] : [{ entry, message }]
      })
      if (found.length > 0) yield found
      const read = (messages.at(-1)?.offset ?? to - 1) + 1
      while (i < waiting.length && waiting[i]!.place.offset < read) i++
      next = waiting[i]?.place.offset ?? end
    }
  }
}

function byPartition(entries: readonly DeadLetterEntry[]): Map<readonly [string, number], DeadLetterEntry[]> {
  const names = new Map<string, readonly [string, number]>()
  const found = new Map<readonly [string, number], DeadLetterEntry[]>()
  for (const entry of entries) {
    const { topic, partition } = entry.place
    const name = `${topic}/${partition}`
    const at = names.get(name) ?? ([topic, partition] as const)
    names.set(name, at)
    const same = found.get(at)
    if (same === undefined) found.set(at, [entry])
    else same.push(entry)
  }
  for (const same of found.values()) same.sort((a, b) => a.place.offset - b.place.offset)
  return found
}

type Ports = { log: Pick<EventLog, 'offsets' | 'read' | 'send'>; lookup: DeadLetterLookup; now: () => number }

/** Records of one send. They are in memory already; this keeps a request within what a broker accepts. */
const SENT_AT_ONCE = 1_000

/** Replays and drops dead letters, and records the outcome of each. */
export function deadLetterHandling({ log, lookup, now }: Ports): Pick<DeadLetters, 'replay' | 'drop'> {
  const seals = replaySeals(log)

  /** The first offset that retention has left of each partition with dead letters. */
  async function lows(): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const topic of BURYING)
      for (const { partition, low } of await log.offsets(deadTopic(topic))) found.set(`${topic}/${partition}`, low)
    return found
  }

  async function noteAll(
    entries: readonly DeadLetterEntry[],
    outcome: Outcome,
    gone: ReadonlyMap<string, number>,
  ): Promise<void> {
    for (let i = 0; i < entries.length; i += SENT_AT_ONCE) {
      const ids = entries.slice(i, i + SENT_AT_ONCE).map(({ id }) => id)
      await lookup.outcomes.note(ids, outcome, gone)
    }
  }

  /** The record that was moved to the dead letters, as the replay sends it. */
  async function originalOf({ entry, message: { key, value, headers } }: DeadRecord) {
    const record = { key, value, headers: replayHeaders(entry.id, headers) }
    return {
      key,
      value,
      headers: await seals.seal(entry.place.topic, record),
      // A record without a key returns to its original partition; a record with a key goes to the partition of its
      // key.
      ...(key === null && entry.origin.partition >= 0 && { partition: entry.origin.partition }),
    }
  }

  return {
    async replay(selection, by, { dryRun = false } = {}) {
      const { entries, skipped } = await selectDeadLetters(lookup, selection)
      const handled = { matched: entries.length, done: 0, skipped }
      if (dryRun) return handled
      const gone = await lows()
      for await (const found of recordsOf(log, entries))
        for (let i = 0; i < found.length; i += SENT_AT_ONCE) {
          const part = found.slice(i, i + SENT_AT_ONCE)
          const messages = await Promise.all(part.map(originalOf))
          await log.send([{ topic: part[0]!.entry.place.topic, messages }])
          // A crash here replays these records once more, which is harmless for every topic (ADR 281).
          const outcome = { state: 'replayed', by, at: now(), note: null } as const
          await noteAll(
            part.map(({ entry }) => entry),
            outcome,
            gone,
          )
          handled.done += part.length
        }
      return handled
    },

    async drop(selection, by, note, { dryRun = false } = {}) {
      const { entries, skipped } = await selectDeadLetters(lookup, selection)
      if (!dryRun) await noteAll(entries, { state: 'dropped', by, at: now(), note }, await lows())
      return { matched: entries.length, done: dryRun ? 0 : entries.length, skipped }
    },
  }
}
