import { RetractionPending } from '../../connectors/operations/retractions/port.ts'
import { OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'
import { touchesWindow } from '../processors/intelligence/retract.ts'
import { endOffsets, lagOf } from '../runtime/lag.ts'
import { idsOf, type PageOptions, type PendingRetraction, place, type RetractPorts } from './ports.ts'
import type { RowsNow } from './retracted-rows.ts'

const LOOK_MS = 200

/**
 * Waits until the jobs have applied what is on the log now.
 * @param began when the page was, unix milliseconds
 * @throws RetractionPending when they do not in time, and the reason of `signal`
 */
export async function untilApplied(
  log: RetractPorts['log'],
  { patience: { stalledMs, mostMs }, now, pause, signal }: PageOptions,
  began: number,
): Promise<void> {
  const ends = await endOffsets(log, OBSERVATIONS)
  let left = Number.POSITIVE_INFINITY
  for (let since = now(); ; ) {
    const lag = await lagOf(log, OBSERVERS, OBSERVATIONS, ends)
    if (lag === 0) return
    if (lag < left) since = now()
    left = lag
    if (now() - since > stalledMs || now() - began > mostMs) throw new RetractionPending(left)
    await pause(LOOK_MS, signal)
    signal.throwIfAborted()
  }
}

/** Without those whose claim stands as it did, while no retraction of it is stored: the jobs refused their records. */
export async function appliedOf(
  store: RetractPorts['store'],
  { source, from, to }: PageOptions,
  rows: RowsNow,
  todo: readonly PendingRetraction[],
  sentAt: number,
): Promise<PendingRetraction[]> {
  const ids = idsOf(todo.map(({ reported }) => reported))
  const now = await rows.of(ids)
  const stored = new Set((await store.retracted(source, ids)).filter(({ at }) => at >= sentAt).map(place))
  return todo.filter(({ reported, claim }) => {
    if (claim === null || stored.has(place(reported))) return true
    const left = now.get(place(reported))?.claims.find((c) => c.source === source)
    return left === undefined || !touchesWindow(left, { from, to })
  })
}

/** Of pairs that were taken back, how many scores are others. */
export async function countChanged(rows: RowsNow, todo: readonly PendingRetraction[]): Promise<number> {
  const now = await rows.of(idsOf(todo.map(({ reported }) => reported)))
  return todo.filter(({ row }) => {
    const after = now.get(place(row))
    return after?.reputation !== row.reputation || after.accuracy !== row.accuracy
  }).length
}
