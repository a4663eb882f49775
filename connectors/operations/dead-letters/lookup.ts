import { BURYING, DEAD_OUTCOMES } from '../../../schemas/log/topics.ts'
import { letterPlace, type Outcome, readOutcome } from '../../../schemas/operation/dead-letter.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog } from '../../log/port.ts'
import { type DeadLetterEntry, deadLetterEntries } from './entries.ts'
import { BadSelection, type DeadLetter } from './port.ts'

/** At most this many outcomes of removed dead letters are deleted with one note. */
const SWEPT_AT_ONCE = 1_000

/** Outcomes of dead letters, read from the compacted topic. */
function deadLetterOutcomes(log: Pick<EventLog, 'offsets' | 'read' | 'send'>) {
  const outcomes = new Map<string, Outcome>()
  const refresh = compactedTable(log, DEAD_OUTCOMES, ({ key, value }) => {
    const id = key?.toString() ?? ''
    const outcome = value === null ? null : readOutcome(value)
    if (outcome === null) outcomes.delete(id)
    else outcomes.set(id, outcome)
  })

  return {
    refresh,
    of: (id: string): Outcome | null => outcomes.get(id) ?? null,
    /**
     * Records the outcome of these dead letters, and deletes outcomes of dead letters below `lows` (by topic):
     * retention has removed those, so their outcome is no longer needed.
     */
    async note(ids: readonly string[], outcome: Outcome, lows: ReadonlyMap<string, number>): Promise<void> {
      const value = Buffer.from(JSON.stringify(outcome))
      const gone: string[] = []
      for (const id of outcomes.keys()) {
        const place = letterPlace(id)
        if (place === null || place.offset < (lows.get(`${place.topic}/${place.partition}`) ?? 0)) gone.push(id)
        if (gone.length === SWEPT_AT_ONCE) break
      }
      const messages = [...ids.map((id) => ({ key: id, value })), ...gone.map((id) => ({ key: id, value: null }))]
      if (messages.length > 0) await log.send([{ topic: DEAD_OUTCOMES, messages }])
      for (const id of gone) outcomes.delete(id)
      for (const id of ids) outcomes.set(id, outcome)
    },
  }
}

export type DeadLetterLookup = ReturnType<typeof deadLetterLookup>

/** The dead letters of every topic by topic and by id, and what became of them. */
export function deadLetterLookup(log: Pick<EventLog, 'offsets' | 'read' | 'send'>) {
  const outcomes = deadLetterOutcomes(log)
  const topics = new Map(BURYING.map((topic) => [topic, deadLetterEntries(log, topic)]))

  /** @throws BadSelection when the topic is not one that has dead letters */
  function entriesOf(topic: string): Promise<readonly DeadLetterEntry[]> {
    const entries = topics.get(topic)
    if (entries === undefined)
      throw new BadSelection(`the topic "${topic}" has no dead letters; expected one of ${BURYING.join(', ')}`)
    return entries()
  }

  return {
    outcomes,
    entriesOf,
    async find(id: string): Promise<DeadLetterEntry | undefined> {
      const place = letterPlace(id)
      return place === null ? undefined : (await entriesOf(place.topic)).find((entry) => entry.id === id)
    },
    withOutcome({ place: _, ...entry }: DeadLetterEntry): DeadLetter {
      const outcome = outcomes.of(entry.id)
      return { ...entry, state: outcome?.state ?? 'waiting', outcome }
    },
  }
}
