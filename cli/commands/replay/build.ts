import { prepareShadow, restoreSettings } from '../../../connectors/history/generations/shadow.ts'
import { recordsOf } from '../../../pipelines/rebuild/plan.ts'
import { type Folded, foldAll } from '../../../pipelines/rebuild/run-rebuild.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { duration, type Measure, perSecond, progressOf } from '../progress.ts'
import type { ReplayContext } from './context.ts'
import { appliedPositions, bringOn, type Shadow } from './shadow.ts'
import { startWorkers } from './workers.ts'

export type ReplayProcess = {
  out: NodeJS.WritableStream & { isTTY?: boolean }
  /** Unix milliseconds. */
  now: () => number
  /** Aborted when the operator does not want it any more: what is done so far stays. */
  signal: AbortSignal
}

const MEASURE: Measure<{ passed: number }> = {
  done: ({ passed }) => passed,
  counted: ({ passed }) => passed,
  says: ({ passed }) => `${passed} records`,
}

/**
 * Folds what is left of a shadow, then brings it to where the jobs are, unless it is partial.
 * @throws Interrupted when it was; what is done stays, and `replay resume` goes on
 */
export async function build(ctx: ReplayContext, shadow: Shadow, workers: number, around: ReplayProcess): Promise<void> {
  const { out, now, signal } = around
  const began = now()
  const folded = await foldRest(ctx, shadow, workers, around)
  const took = now() - began
  if (folded.slices > 0)
    out.write(
      `${folded.records} records in ${duration(took)}, ${perSecond(folded.records, took)}/s: ${folded.kept} kept, ` +
        `${folded.dead} invalid, ${folded.entities} entities\n`,
    )
  if (shadow.plan.partial) return
  const onward = await bringOn(ctx, shadow)
  await onward.to(await appliedPositions(ctx, shadow), false, signal).catch((cause: Error) => {
    if (!signal.aborted) throw cause
    throw interrupted(
      shadow.database,
      'every slice is built; records that arrived during the build are still missing',
      cause,
    )
  })
}

async function foldRest(ctx: ReplayContext, shadow: Shadow, count: number, around: ReplayProcess): Promise<Folded> {
  const { plan, notes, history, database } = shadow
  if (shadow.slicesLeft === 0) {
    // The one that folded the last slice may have ended before this.
    await restoreSettings(history)
    return { slices: 0, records: 0, kept: 0, dead: 0, entities: 0 }
  }
  const { out, now, signal } = around
  const total = recordsOf(plan)
  await prepareShadow(history, total)
  let passed = 0
  const progress = progressOf(out, total, now, MEASURE)
  const { config, registry, url } = ctx
  const setup = { config, registryUrl: registry.url, historyUrl: url, database, promoted: plan.promoted }
  const threads = startWorkers(Math.min(count, shadow.slicesLeft), setup, (more) => {
    passed += more
    progress.update({ passed })
  })
  const end = (): void => void threads.stop()
  signal.addEventListener('abort', end, { once: true })
  try {
    const folded = await foldAll(plan, notes, threads.folds)
    await restoreSettings(history)
    return folded
  } catch (error) {
    throw signal.aborted
      ? interrupted(database, `${passed} of ${total} records read; finished slices stay`, error)
      : error
  } finally {
    signal.removeEventListener('abort', end)
    progress.stop()
    await threads.stop()
  }
}

const interrupted = (database: string, done: string, cause: unknown): Interrupted =>
  new Interrupted(`${database}: ${done}`, `harrier replay resume ${database}`, { cause })
