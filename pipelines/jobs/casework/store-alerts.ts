import type { Batch } from '../../../connectors/log/port.ts'
import type { alertFold } from '../../processors/casework/alert-fold.ts'
import type { AlertsOptions, AlertsPorts } from './ports.ts'
import type { Progress } from './progress.ts'

/** Alerts of one transaction, and those of one record more: it holds up whoever else writes to the embedded database. */
export const STORED_AT_ONCE = 500
/**
 * How far it is, is stored with alerts, and else so often: what was sent again after a crash fires nothing a second time
 * then, and few batches fire something.
 */
export const STORED_EVERY_MS = 5_000

type Fold = ReturnType<typeof alertFold>

/**
 * Stores what some records did to alerts with how far they were looked at, all or nothing.
 * @returns whether there was anything to store
 * @throws Error when another process was as far: what it did is skipped in the next try
 */
export async function storeAlerts(
  { store }: Pick<AlertsPorts, 'store'>,
  { now, report }: Pick<AlertsOptions, 'now' | 'report'>,
  { topic, partition, signal }: Pick<Batch, 'topic' | 'partition' | 'signal'>,
  fold: Fold,
  progress: Progress,
): Promise<boolean> {
  const moves = progress.moves()
  if (moves.moves.length === 0) return false
  signal.throwIfAborted()
  const stored = await store.writer.store(fold.take(), moves, now())
  if (stored === 'moved') throw new Error(`partition ${partition} of ${topic} is looked at by another process`)
  progress.stored()
  report({ stored })
  return true
}
