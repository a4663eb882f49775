import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import type { Generations } from '../../../connectors/history/generations/port.ts'
import { rescoreNote, rescoreShadow } from '../../../connectors/history/generations/rescore-shadow.ts'
import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { ObserveRules } from '../../../pipelines/processors/intelligence/observe.ts'
import { type PromotePorts, publishRules } from '../../../pipelines/rescore/promote.ts'
import { type PublishPorts, publishRescored } from '../../../pipelines/rescore/publish-rescored.ts'
import { type RescoreState, stateIn } from '../../../pipelines/rescore/rescore-state.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { PromotedRules } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { homeOf } from '../../wiring/open/open-log.ts'
import { openTables } from '../../wiring/open/open-tables.ts'
import type { OpenRegistry } from '../../wiring/open/registry.ts'
import { propagateMarks } from './propagate-marks.ts'

/** What the commands work with; a platform may run on the same stores. */
export type RescoreContext = {
  log: EventLog
  registry: OpenRegistry
  /** At the home of the generations. */
  history: History
  generations: Generations
  observe: ObserveRules
  /** What the generation `database` knows of how it was made. @throws Error when it was not made by this command */
  stateOf(database: string): Promise<RescoreState>
  portsOf(database: string, state: Pick<RescoreState, 'live'>): PromotePorts & PublishPorts
  close(): Promise<void>
}

/** @throws what keeps one of the stores from being opened; those before it are closed then */
export async function openRescore(config: Config): Promise<RescoreContext> {
  const { close, ...stores } = await openTables(config)
  const geo = geoWhenAsked()
  const observe = { dedupeWindow: config.dedupeWindowMs, locate: (ip: string) => geo.locate(ip) }
  return { ...rescoreContext(stores, observe, homeOf(stores.log)), close }
}

type Stores = Pick<RescoreContext, 'log' | 'registry' | 'history' | 'generations'>

/** The same over stores that are open. `partitionOf`: the partition of entity.observations that a key belongs to. */
export const rescoreContext = (
  stores: Stores,
  observe: ObserveRules,
  partitionOf: PromotePorts['partitionOf'],
): Omit<RescoreContext, 'close'> => {
  const { log, registry, history, generations } = stores
  return {
    ...stores,
    observe,
    async stateOf(database) {
      const known = (await generations.list()).some((generation) => generation.database === database)
      if (!known) throw new Error(`no such generation: '${database}'`)
      const note = await rescoreNote(history.at(database))
      if (note === null) throw new Error(`'${database}' was not created by 'rescore build'`)
      return stateIn(note)
    },
    portsOf(database, { live }) {
      const shadow = history.at(database)
      return {
        log,
        registry,
        generations,
        partitionOf,
        now: Date.now,
        changeSchemaId: registry.ids.change,
        shadow: rescoreShadow(shadow, live),
        store: observationStore(shadow),
        pause,
        encode: encoder<Observation>(records.observation, registry.ids.observation),
        encodeRules: encoder<PromotedRules>(records.scoringRules, registry.ids.scoringRules),
      }
    },
  }
}

/**
 * What remains of a promotion once its tables are live, also of one that died there: the log says which rules are in force,
 * marks hold for what is negative only now, and every entity that is shown otherwise has a record.
 * @returns how many entities have got theirs
 */
export async function finishLast(ctx: Omit<RescoreContext, 'close'>, signal: AbortSignal): Promise<number> {
  const { database } = await ctx.generations.current()
  const note = await rescoreNote(ctx.history.at(database))
  if (note === null) return 0
  const noted = stateIn(note)
  const ports = ctx.portsOf(database, noted)
  const state = await publishRules(ports, database, noted)
  if (state.stage !== 'published') return 0
  // Before the changes: what is under a mark has its floor before anybody is told of it.
  await propagateMarks(ctx, ctx.history.at(database), signal)
  return publishRescored(ports, database, state, signal)
}
