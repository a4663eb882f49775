import { BURYING, deadTopic } from '../../../schemas/log/topics.ts'
import { letterPlace, type Outcome, replayHeaders } from '../../../schemas/operation/dead-letter.ts'
import type { EventLog } from '../../log/port.ts'
import type { Registry } from '../../registry/port.ts'
import { type DeadLetterEntry, deadLetterEntries } from './entries.ts'
import { deadLetterOutcomes } from './outcomes.ts'
import { payloadOf } from './payload.ts'
import {
  BadSelection,
  type DeadLetter,
  type DeadLetterQuery,
  type DeadLetterSelection,
  type DeadLetters,
  type HandledDeadLetters,
  MAX_PAGE,
} from './port.ts'
import { replaySeals } from './seals.ts'
import { type DeadRecord, recordsOf } from './walk.ts'

type Ports = { log: Pick<EventLog, 'offsets' | 'read' | 'send'>; registry: Registry; now: () => number }

/** Records of one send. They are in memory already; this keeps a request within what a broker accepts. */
const SENT_AT_ONCE = 1_000
const MAX_SKIPPED = 1_000

/** The dead letters of every topic, stored on the log. */
export function deadLetterBox({ log, registry, now }: Ports): DeadLetters {
  const outcomes = deadLetterOutcomes(log)
  const seals = replaySeals(log)
  const topics = new Map(BURYING.map((topic) => [topic, deadLetterEntries(log, topic)]))

  function entriesOf(topic: string): Promise<readonly DeadLetterEntry[]> {
    const entries = topics.get(topic)
    if (entries === undefined)
      throw new BadSelection(`the topic "${topic}" has no dead letters; expected one of ${BURYING.join(', ')}`)
    return entries()
  }

  const withOutcome = ({ place: _, ...entry }: DeadLetterEntry): DeadLetter => {
    const outcome = outcomes.of(entry.id)
    return { ...entry, state: outcome?.state ?? 'waiting', outcome }
  }

  async function find(id: string): Promise<DeadLetterEntry | undefined> {
    const place = letterPlace(id)
    return place === null ? undefined : (await entriesOf(place.topic)).find((entry) => entry.id === id)
  }

  /** The waiting dead letters that a selection names, and the ids that were skipped. */
  async function chosen(
    selection: DeadLetterSelection,
  ): Promise<{ entries: DeadLetterEntry[]; skipped: HandledDeadLetters['skipped'] }> {
    await outcomes.refresh()
    if (!('ids' in selection)) {
      const { topic, reason, range } = selection
      if (reason === undefined && range === undefined) throw new BadSelection('a reason or a range is required')
      const entries = (await entriesOf(topic)).filter(
        (entry) => outcomes.of(entry.id) === null && says(entry, reason) && (range === undefined || lies(entry, range)),
      )
      return { entries, skipped: [] }
    }
    const entries: DeadLetterEntry[] = []
    const skipped: HandledDeadLetters['skipped'] = []
    const ids = [...new Set(selection.ids)]
    const named = new Set(ids.flatMap((id) => letterPlace(id)?.topic ?? []))
    const there = new Map<string, DeadLetterEntry>()
    for (const topic of named) for (const entry of await entriesOf(topic)) there.set(entry.id, entry)
    for (const id of ids) {
      const entry = there.get(id)
      const outcome = outcomes.of(id)
      if (entry === undefined) skipped.push({ id, why: 'no such dead letter' })
      else if (outcome !== null) skipped.push({ id, why: `already ${outcome.state} by ${outcome.by}` })
      else entries.push(entry)
    }
    return { entries, skipped: skipped.slice(0, MAX_SKIPPED) }
  }

  async function lows(): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const topic of BURYING)
      for (const { partition, low } of await log.offsets(deadTopic(topic))) found.set(`${topic}/${partition}`, low)
    return found
  }

  const noteAll = async (
    entries: readonly DeadLetterEntry[],
    outcome: Outcome,
    gone: ReadonlyMap<string, number>,
  ): Promise<void> => {
    for (let i = 0; i < entries.length; i += SENT_AT_ONCE)
      await outcomes.note(
        entries.slice(i, i + SENT_AT_ONCE).map(({ id }) => id),
        outcome,
        gone,
      )
  }

  return {
    async list({ topic, ...query }) {
      await outcomes.refresh()
      const given = await Promise.all((topic === undefined ? BURYING : [topic]).map(entriesOf))
      const found = given.flatMap((entries) => entries.filter((entry) => fits(entry, query)))
      const sorted = found.sort(newestFirst)
      const from = query.after === undefined ? 0 : await startAfter(sorted, query.after)
      const letters: DeadLetter[] = []
      const limit = Math.min(query.limit, MAX_PAGE)
      let i = from
      for (; i < sorted.length && letters.length < limit; i++) {
        const letter = withOutcome(sorted[i]!)
        if (query.state === undefined || letter.state === query.state) letters.push(letter)
      }
      return { letters, next: i < sorted.length ? (letters.at(-1)?.id ?? null) : null }
    },

    async show(id) {
      await outcomes.refresh()
      const entry = await find(id)
      if (entry === undefined) return null
      const { topic, partition, offset } = entry.place
      const [message] = await log.read(deadTopic(topic), partition, offset, offset + 1, 1)
      if (message === undefined) return null
      const payload = await payloadOf(registry, topic, message.value)
      return { ...withOutcome(entry), headers: message.headers, payload }
    },

    async replay(selection, by, { dryRun = false } = {}) {
      const { entries, skipped } = await chosen(selection)
      const handled = { matched: entries.length, done: 0, skipped }
      if (dryRun) return handled
      const gone = await lows()
      for await (const found of recordsOf(log, entries))
        for (let i = 0; i < found.length; i += SENT_AT_ONCE) {
          const part = found.slice(i, i + SENT_AT_ONCE)
          const messages = await Promise.all(part.map(putBack))
          await log.send([{ topic: part[0]!.entry.place.topic, messages }])
          // A crash here replays these records once more, which is harmless for every topic (ADR 133).
          await noteAll(
            part.map(({ entry }) => entry),
            { state: 'replayed', by, at: now(), note: null },
            gone,
          )
          handled.done += part.length
        }
      return handled
    },

    async drop(selection, by, note, { dryRun = false } = {}) {
      const { entries, skipped } = await chosen(selection)
      if (!dryRun) await noteAll(entries, { state: 'dropped', by, at: now(), note }, await lows())
      return { matched: entries.length, done: dryRun ? 0 : entries.length, skipped }
    },

    async waiting() {
      await outcomes.refresh()
      const counted = new Map<string, number>()
      for (const topic of BURYING) {
        const entries = await entriesOf(topic)
        counted.set(topic, entries.filter(({ id }) => outcomes.of(id) === null).length)
      }
      return counted
    },
  }

  async function putBack({ entry, message: { key, value, headers } }: DeadRecord) {
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

  async function startAfter(sorted: readonly DeadLetterEntry[], after: string): Promise<number> {
    const last = await find(after)
    if (last === undefined) throw new BadSelection(`no such dead letter: "${after}" (after)`)
    const beyond = sorted.findIndex((entry) => newestFirst(last, entry) < 0)
    return beyond < 0 ? sorted.length : beyond
  }
}

const newestFirst = (a: DeadLetterEntry, b: DeadLetterEntry): number =>
  b.buriedAt - a.buriedAt ||
  (a.place.topic < b.place.topic ? -1 : Number(a.place.topic > b.place.topic)) ||
  a.place.partition - b.place.partition ||
  b.place.offset - a.place.offset

const says = ({ reason }: DeadLetterEntry, words: string | undefined): boolean =>
  words === undefined || reason.toLowerCase().includes(words.toLowerCase())

const lies = (
  { place }: DeadLetterEntry,
  { partition, from, to }: { partition: number; from: number; to: number },
): boolean => place.partition === partition && place.offset >= from && place.offset < to

const fits = (entry: DeadLetterEntry, { reason, since, until }: Omit<DeadLetterQuery, 'topic'>): boolean =>
  says(entry, reason) &&
  (since === undefined || entry.buriedAt >= since) &&
  (until === undefined || entry.buriedAt < until)
