import { BURYING } from '../../../schemas/log/topics.ts'
import { letterPlace } from '../../../schemas/operation/dead-letter.ts'
import type { EventLog } from '../../log/port.ts'
import { type DeadLetterEntry, deadLetterEntries } from './entries.ts'
import { deadLetterOutcomes } from './outcomes.ts'
import { BadSelection, type DeadLetter } from './port.ts'

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
