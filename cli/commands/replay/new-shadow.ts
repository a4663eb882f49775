import { shadowNotes } from '../../../connectors/history/generations/shadow.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { type OffsetSpan, type Plan, slicesOf, spansOf, tasksOf, VERSION } from '../../../pipelines/rebuild/plan.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import type { PromotedRules } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS, OBSERVERS, SCORING_RULES } from '../../../schemas/log/topics.ts'
import type { ReplayContext } from './context.ts'
import { boundsOf, isBounded, type StartOptions } from './options.ts'
import type { Shadow } from './shadow.ts'

/** Promotions are rare; more of them than this are not rules any more. */
const MOST = 10_000

/**
 * Every promotion of scoring rules on the log, oldest first (ADR 282).
 * @throws Error when a record cannot be read, or the last one is not what is `inForce` (JSON, empty: built-in)
 */
async function promotedRules(
  log: Pick<EventLog, 'offsets' | 'read'>,
  schemaId: number,
  inForce: string,
): Promise<PromotedRules[]> {
  const decode = decoder<PromotedRules>(records.scoringRules, (id) =>
    id === schemaId ? records.scoringRules : undefined,
  )
  const promoted: PromotedRules[] = []
  for (const { partition, low, high } of await log.offsets(SCORING_RULES))
    for (const { value, offset } of await log.read(SCORING_RULES, partition, low, high, MOST)) {
      const decoded = value === null ? { ok: false as const, reason: 'no value' } : decode(value)
      if (!decoded.ok) throw new Error(`cannot read ${SCORING_RULES}/${offset}: ${decoded.reason}`)
      promoted.push(decoded.record)
    }
  if ((promoted.at(-1)?.rules ?? '') !== inForce)
    throw new Error(
      "the log does not contain the active scoring rules; run 'rescore show' to complete the interrupted promotion",
    )
  return promoted
}

/** Creates a shadow for the given options, and stores the plan in it. */
export async function newShadow(ctx: ReplayContext, options: StartOptions): Promise<Shadow> {
  const plan = await planOf(ctx, options)
  const database = await ctx.generations.shadow()
  const history = ctx.history.at(database)
  const notes = await shadowNotes(history, Date.now)
  await notes.write('plan', JSON.stringify(plan))
  return { database, history, notes, plan, slicesLeft: tasksOf(plan).length }
}

async function planOf({ log, config, registry, generations }: ReplayContext, options: StartOptions): Promise<Plan> {
  const partial = isBounded(options)
  const { rules } = await generations.current()
  const requested = await spansOf(log, boundsOf(options))
  const spans = partial ? requested : await appliedSpans(log, requested)
  return {
    version: VERSION,
    dedupeWindow: config.dedupeWindowMs,
    rules,
    promoted: await promotedRules(log, registry.ids.scoringRules, rules),
    spans: await Promise.all(
      spans.map(async (span) => ({ ...span, slices: await slicesOf(log, span, options.entities) })),
    ),
    source: options.feed === undefined ? null : feedSource(options.feed),
    partial,
  }
}

/**
 * Only what the jobs have applied: changes of later records are published by the jobs or by the promotion. Where no
 * job ever ran, there is no consumer of changes.
 */
async function appliedSpans(log: ReplayContext['log'], spans: readonly OffsetSpan[]): Promise<OffsetSpan[]> {
  const committed = new Map((await log.committed(OBSERVERS, OBSERVATIONS)).map((c) => [c.partition, c.offset]))
  return spans.map((span) => ({ ...span, to: Math.min(span.to, committed.get(span.partition) ?? span.to) }))
}
