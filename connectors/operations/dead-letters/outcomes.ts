import { DEAD_OUTCOMES } from '../../../schemas/log/topics.ts'
import { letterPlace, type Outcome, readOutcome } from '../../../schemas/operation/dead-letter.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog } from '../../log/port.ts'

/** Outcomes of letters that are gone, taken away with one note at most. */
const SWEPT_AT_ONCE = 1_000

/** What became of letters, as the compacted topic tells it. */
export function deadLetterOutcomes(log: Pick<EventLog, 'offsets' | 'read' | 'send'>) {
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
     * Notes the outcome of these letters, and forgets those of letters that lie before `lows`, by topic: what retention
     * took needs no outcome any more.
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
