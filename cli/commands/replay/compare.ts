import {
  compareAll,
  comparePart,
  forgetLive,
  keepLive,
  type TableComparison,
} from '../../../connectors/history/generations/compare.ts'
import type { Position } from '../../../pipelines/rebuild/catch-up.ts'
import { poll } from '../../../platform/retry.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import type { ReplayContext } from './context.ts'
import { appliedPositions, assertSameRules, assertWhole, bringOn, type Shadow } from './shadow.ts'

const ATTEMPTS = 60
const PAUSE_MS = 500

/**
 * Compares a shadow with the live tables, both at the same positions. The live tables are frozen at a moment when the
 * jobs have applied the whole log, which takes milliseconds and blocks no job; then the shadow is brought to the same
 * positions. A partial shadow is compared only in its part of history.
 * @throws Error when there was no such moment in half a minute
 */
export async function compareShadow(
  ctx: ReplayContext,
  shadow: Shadow,
  signal: AbortSignal,
): Promise<TableComparison[]> {
  const { database: live } = await ctx.generations.current()
  const { plan, database } = shadow
  if (shadow.slicesLeft > 0 || !plan.partial) assertWhole(shadow)
  if (plan.partial) return [await comparePart(ctx.history, database, live, plan)]
  await assertSameRules(ctx, shadow)
  try {
    const positions = await keepWhileStill(ctx, shadow, live, signal)
    const onward = await bringOn(ctx, shadow)
    await onward.to(positions, false, signal)
    return await compareAll(ctx.history, database)
  } finally {
    await forgetLive(ctx.history, database)
  }
}

/** Keeps the live tables until they were kept at a still moment; where the log ended then. */
async function keepWhileStill(
  ctx: ReplayContext,
  shadow: Shadow,
  live: string,
  signal: AbortSignal,
): Promise<Position[]> {
  const keepOnce = async (): Promise<Position[] | null> => {
    const before = await stillAt(ctx, shadow)
    if (before === null) return null
    await keepLive(ctx.history, shadow.database, live)
    return JSON.stringify(await stillAt(ctx, shadow)) === JSON.stringify(before) ? before : null
  }
  const kept = await poll(keepOnce, { attempts: ATTEMPTS, pausesMs: [PAUSE_MS], signal })
  if (kept !== null) return kept
  throw new Error('the jobs did not catch up with the log during the comparison; retry when fewer reports arrive')
}

/** The ends of the log when every record before them is applied, else null (ADR 266). */
async function stillAt(ctx: ReplayContext, shadow: Shadow): Promise<Position[] | null> {
  // Positions first: one that was read before an end and equals it has not been passed.
  const positions = await appliedPositions(ctx, shadow)
  const ends = new Map((await ctx.log.offsets(OBSERVATIONS)).map(({ partition, high }) => [partition, high]))
  return positions.every(({ partition, offset }) => ends.get(partition) === offset) ? positions : null
}
