import { rescoreNote } from '../../../connectors/history/generations/rescore-shadow.ts'
import { stateIn } from '../../../pipelines/rescore/rescore-state.ts'
import { PORTION } from '../../../pipelines/runtime/job.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { propagateMarks } from '../rescore/propagate-marks.ts'
import type { ReplayContext } from './context.ts'
import { appliedPositions, assertSameRules, assertWhole, bringOn, type Shadow } from './shadow.ts'

/** Rounds after which the jobs are held whatever they do meanwhile: each leaves less to the next. */
const ROUNDS = 20

/**
 * Makes a shadow the live generation (ADR 132): brought near the end first, then, with the jobs held, to the end itself.
 * @returns milliseconds for which the jobs were held
 * @throws Error when it is not whole; when the hold was lost or the operator gave up, nothing is changed
 */
export async function promote(ctx: ReplayContext, shadow: Shadow, signal: AbortSignal): Promise<number> {
  assertWhole(shadow)
  await assertMayFollow(ctx, shadow)
  const onward = await bringOn(ctx, shadow)
  for (let round = 0; round < ROUNDS; round++) {
    const before = onward.positions()
    const ends = await appliedPositions(ctx, shadow)
    await onward.to(ends, false, signal)
    const passed = ends.reduce((sum, { partition, offset }) => sum + offset - at(before, partition), 0)
    if (passed < PORTION.maxRecords) break
  }
  const hold = await ctx.generations.lock(`replay promote ${shadow.database}`)
  const began = performance.now()
  try {
    const stop = AbortSignal.any([hold.lost, signal])
    // Rules may have been promoted until now.
    await assertMayFollow(ctx, shadow)
    await onward.to(await appliedPositions(ctx, shadow), false, stop)
    const ends = await ctx.log.offsets(OBSERVATIONS)
    // No job publishes these changes any more: it finds the records applied.
    await onward.to(
      ends.map(({ partition, high }) => ({ partition, offset: high })),
      true,
      stop,
    )
    stop.throwIfAborted()
    const { database, plan } = shadow
    const positions = ends.toSorted((a, b) => a.partition - b.partition).map(({ high }) => high)
    await hold.promote({ database, rules: plan.rules, applied: positions })
  } catch (error) {
    // A lock that was lost cannot be released.
    await hold.release().catch(() => undefined)
    throw error
  }
  const held = performance.now() - began
  await propagateMarks(ctx, shadow.history, signal)
  return held
}

/**
 * Tables of the rules in force may become live once every change of these rules is told: what is left to tell is noted in
 * the tables that they were promoted with (ADR 271).
 * @throws Error that says what to do
 */
async function assertMayFollow(ctx: ReplayContext, shadow: Shadow): Promise<void> {
  await assertSameRules(ctx, shadow)
  const { database } = await ctx.generations.current()
  const note = await rescoreNote(ctx.history.at(database))
  if (note !== null && stateIn(note).stage !== 'told')
    throw new Error(
      "not every change of the active scoring rules is published; run 'rescore show' to complete the interrupted promotion",
    )
}

const at = (positions: readonly { partition: number; offset: number }[], partition: number): number =>
  positions.find((p) => p.partition === partition)?.offset ?? 0
