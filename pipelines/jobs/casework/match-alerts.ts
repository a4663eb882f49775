import type { Batch } from '../../../connectors/log/port.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { MATCHES } from '../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import { alertFold } from '../../processors/casework/alert-fold.ts'
import { lookAtMatch } from '../../processors/casework/look-at-match.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import type { KnownLists } from './known-lists.ts'
import type { AlertsOptions, AlertsPorts } from './ports.ts'
import { type Progress, progressOf, withinLog } from './progress.ts'
import { STORED_AT_ONCE, STORED_EVERY_MS, storeAlerts } from './store-alerts.ts'

/** Records of a partition that are remembered: what was sent again after a crash of who sent it comes soon. */
const MAX_KNOWN = 20_000

type Followed = { progress: Progress; storedAt: number; known: Set<string> }

/**
 * match.events -> decode -> lookAtMatch -> alerts (ADR 215)
 *
 * How far each partition is, is stored with the alerts, as of entity.changes, and apart from it.
 */
export function matchAlerts(ports: AlertsPorts, options: AlertsOptions, lists: Pick<KnownLists, 'matches'>) {
  const { log, store } = ports
  const { now } = options
  const decode = batchDecoder<MatchRecord>(types.match, ports.registry)
  const moveToDeadLetters = deadLetterWriter(log, ports.breaker)
  const partitions = new Map<number, Followed>()

  async function begin(partition: number): Promise<Followed> {
    const positions = await store.writer.positions(partition, MATCHES)
    const within = await withinLog(log, positions, { topic: MATCHES, partition })
    const progress = progressOf(partition, positions, within, MATCHES)
    const begun = { progress, storedAt: now(), known: new Set<string>() }
    partitions.set(partition, begun)
    return begun
  }

  return {
    /** Of a batch after the lists were asked for. */
    async once(batch: Batch): Promise<void> {
      if (lists.matches.size() === 0) return
      const { partition } = batch
      const { records, dead } = await decode(batch.messages)
      const followed = partitions.get(partition) ?? (await begin(partition))
      const { progress, known } = followed
      const fold = alertFold()
      const flush = async (): Promise<void> => {
        if (await storeAlerts(ports, options, batch, fold, progress)) followed.storedAt = now()
      }
      for (const { message, value: match } of records) {
        const { offset, timestamp: time } = message
        if (!progress.pass({ partition: 0, offset }) || !isNew(known, match)) continue
        lookAtMatch({ match, partition, offset, time }, lists.matches, fold.add)
        if (fold.size() >= STORED_AT_ONCE) await flush()
      }
      if (fold.size() > 0 || now() - followed.storedAt >= STORED_EVERY_MS) await flush()
      await moveToDeadLetters(batch, dead)
    },
    /** What was looked at and is not stored is looked at again. */
    forget: (partition: number): void => void partitions.delete(partition),
  }
}

/** A record that was sent twice says the same (match-event.avsc). */
function isNew(known: Set<string>, { id, step, stepAt }: MatchRecord): boolean {
  const key = `${id} ${step} ${stepAt}`
  if (known.has(key)) return false
  if (known.size >= MAX_KNOWN) known.delete(known.values().next().value!)
  known.add(key)
  return true
}
