import type { LiveStore, RescoredFrom } from '../../connectors/history/generations/port.ts'
import type { ObservationStore } from '../../connectors/history/port.ts'
import type { ScoringRules } from '../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { CHANGES, OBSERVATIONS } from '../../schemas/log/topics.ts'
import { type ObservationPorts, observationJob } from '../jobs/intelligence/observations.ts'
import type { ObserveRules } from '../processors/intelligence/observe.ts'
import { rescoreRow } from '../processors/intelligence/rescore.ts'
import { PORTION } from '../runtime/job.ts'

export type CatchUpPorts = Omit<ObservationPorts, 'live'> & {
  database: string
  store: ObservationStore
  /** Unix milliseconds. */
  now: () => number
}

/**
 * Applies records that the live generation may not have yet, [from, to) of each partition, by the job that would have.
 * They are of the rules of before: their history and their changes are what the job would have made of them, and only
 * the rows are scored by the rules of after. The counters are not kept: they are counted again.
 */
export async function catchUp(
  { database, store, ...ports }: CatchUpPorts,
  observe: ObserveRules,
  /** `rescored`: how the rules of before came into force. */
  rules: { before: ScoringRules; after: ScoringRules; text: string; rescored: RescoredFrom | null },
  range: { from: readonly number[]; to: readonly number[] },
  signal: AbortSignal,
): Promise<number> {
  const { text, rescored } = rules
  const live: LiveStore = { database, rules: text, applied: [], rescored, store: translatingStore(store, rules) }
  const log = {
    ...ports.log,
    // The consumer that delivers these records again writes the dead letters; changes of applied records are not
    // published again.
    send: async (batches: Parameters<typeof ports.log.send>[0]) => {
      const changes = batches.filter(({ topic }) => topic === CHANGES)
      if (changes.length > 0) await ports.log.send(changes)
    },
  }
  const job = observationJob({ ...ports, log, live: async () => live }, observe, {
    now: ports.now,
    report: () => undefined,
  })
  let records = 0
  for (const [partition, to] of range.to.entries()) {
    let from = range.from[partition] ?? 0
    while (from < to) {
      signal.throwIfAborted()
      const messages = await ports.log.read(OBSERVATIONS, partition, from, to, PORTION.maxRecords)
      if (messages.length === 0) break
      const end = messages.at(-1)!.offset + 1
      // As one that was begun before: its history may have been linked already.
      await job.eachBatch({
        topic: OBSERVATIONS,
        partition,
        messages,
        from,
        to: end,
        note: 'rescore:v1',
        redelivered: true,
        highWatermark: to,
        signal,
      })
      records += messages.length
      from = end
    }
  }
  return records
}

/** The job sees rows with the scores of the old rules; they are stored with the scores of the new ones. */
const translatingStore = (store: ObservationStore, { before, after }: Record<'before' | 'after', ScoringRules>) => ({
  ...store,
  gather: () => ({ history: [], rows: [] }),
  rowsOf: async (ids: readonly string[]) => (await store.rowsOf(ids)).map((row) => rescoreRow(row, before)),
  entities: (rows: Parameters<ObservationStore['entities']>[0], token: string) =>
    store.entities(
      // As `gather` above gives them.
      (rows as readonly EntityState[]).map((row) => rescoreRow(row, after)),
      token,
    ),
  counts: async () => undefined,
})
