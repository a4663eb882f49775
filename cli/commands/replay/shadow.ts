import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { shadowNotes } from '../../../connectors/history/generations/shadow.ts'
import type { History, ShadowNotes } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { catchUp, type Position } from '../../../pipelines/rebuild/catch-up.ts'
import { type Plan, sliceName, tasksOf, VERSION } from '../../../pipelines/rebuild/plan.ts'
import { OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { homeOf } from '../../wiring/open/open-log.ts'
import type { ReplayContext } from './context.ts'
import { rulesOf } from './rules.ts'

/** Tables that are being made from the log, and what is noted of them. */
export type Shadow = { database: string; history: History; notes: ShadowNotes; plan: Plan; slicesLeft: number }

/**
 * A shadow that was begun.
 * @throws Error when the database is none, or is the live one, or was not begun far enough to go on
 */
export async function shadowOf({ generations, history }: ReplayContext, database: string): Promise<Shadow> {
  const found = (await generations.list()).find((generation) => generation.database === database)
  if (found === undefined) throw new Error(`no such generation: '${database}'`)
  if (found.live) throw new Error(`'${database}' is the live generation`)
  const own = history.at(database)
  const notes = await shadowNotes(own, Date.now)
  const noted = await notes.read()
  const text = noted.get('plan')
  if (text === undefined)
    throw new Error(
      `'${database}' is not a rebuild, or it was interrupted before the first step; run 'replay drop ${database}'`,
    )
  const plan = JSON.parse(text) as Plan
  const slicesLeft = tasksOf(plan).filter((task) => !noted.has(sliceName(task))).length
  return { database, history: own, notes, plan, slicesLeft }
}

/** @throws Error when rows that are added now would follow from other rules than those that are there */
export async function assertSameRules(
  { config, generations }: ReplayContext,
  { database, plan }: Shadow,
): Promise<void> {
  const again = `run 'replay drop ${database}', then 'replay start'`
  if (plan.version !== VERSION) throw new Error(`${database} was started by another release; ${again}`)
  if (plan.dedupeWindow !== config.dedupeWindowMs)
    throw new Error(`${database} was started with a dedupe window of ${plan.dedupeWindow} ms; ${again}`)
  if (plan.rules !== (await generations.current()).rules)
    throw new Error(`the active scoring rules have changed since ${database} was started; ${again}`)
}

/** @throws Error that says what is missing to the whole log */
export function assertWhole({ database, plan, slicesLeft }: Shadow): void {
  if (plan.partial) throw new Error(`${database} is partial: it contains only a part of the log and cannot be promoted`)
  if (slicesLeft > 0)
    throw new Error(`${database} is incomplete (${slicesLeft} slices left); run 'replay resume ${database}' first`)
}

/** Catches a whole shadow up; its stored rows trigger no callback until it is promoted. */
export async function bringOn(
  { config, log, registry, generations }: ReplayContext,
  { database, history, notes, plan }: Shadow,
) {
  const { rescored } = await generations.current()
  const shadow = { database, rules: plan.rules, applied: [], rescored, store: observationStore(history) }
  const start = plan.spans.map(({ partition, to }) => ({ partition, offset: to }))
  const ports = {
    log,
    registry,
    changeSchemaId: registry.ids.change,
    notes,
    shadow,
    partitionOf: homeOf(log),
    now: Date.now,
  }
  // Most shadows have nothing to catch up with.
  return catchUp(ports, rulesOf(config, geoWhenAsked()), start)
}

/** The positions of the jobs: before them, every record is applied to the live tables and every change is published. */
export async function appliedPositions(
  { log }: Pick<ReplayContext, 'log'>,
  { plan }: Pick<Shadow, 'plan'>,
): Promise<Position[]> {
  const committed = await log.committed(OBSERVERS, OBSERVATIONS)
  return plan.spans.map(({ partition, from }) => ({
    partition,
    offset: committed.find((c) => c.partition === partition)?.offset ?? from,
  }))
}
