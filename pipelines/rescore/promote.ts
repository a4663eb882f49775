import type { Generation, Generations } from '../../connectors/history/generations/port.ts'
import type { ObservationStore, RescoreShadow } from '../../connectors/history/port.ts'
import type { PromotedRules } from '../../schemas/intelligence/scoring/rules-timeline.ts'
import { OBSERVATIONS, SCORING_RULES } from '../../schemas/log/topics.ts'
import type { ObservationPorts } from '../jobs/intelligence/observations.ts'
import type { ObserveRules } from '../processors/intelligence/observe.ts'
import { writeScored } from './build.ts'
import { catchUp } from './catch-up.ts'
import { appliedOffsets, bothRules, type RescoreState } from './state.ts'

export type PromotePorts = Omit<ObservationPorts, 'live'> & {
  generations: Pick<Generations, 'current' | 'lock'>
  shadow: RescoreShadow
  /** Of the shadow. */
  store: ObservationStore
  encodeRules: (promoted: PromotedRules) => Buffer
  now: () => number
}

const ignore = (): void => undefined

/**
 * Makes a rescored generation the live one (ADR 130, 132). Whatever it is stopped at, either the old generation is live
 * with nothing changed, or the new one is; the same call again finishes. What it changed is told by `tellRescored`.
 * @throws Error when it is not whole, or was made of what is not live any more
 */
export async function promote(
  ports: PromotePorts,
  database: string,
  given: RescoreState,
  observe: ObserveRules,
  signal: AbortSignal,
): Promise<{ heldMs: number }> {
  const { generations, shadow, log } = ports
  const current = await generations.current()
  if (current.database === database) {
    await publishRules(ports, database, given)
    return { heldMs: 0 }
  }
  if (given.stage === 'building') throw new Error(`'${database}' is incomplete; drop it and build again`)
  const assertSameLive = (live: Pick<Generation, 'database' | 'rules'>): void => {
    if (live.database !== given.live || live.rules !== given.before)
      throw new Error(`'${database}' was built from '${given.live}', which is no longer live; drop it and build again`)
  }
  assertSameLive(current)
  let state = given
  const note = async (change: Partial<RescoreState>): Promise<void> => {
    state = { ...state, ...change }
    await shadow.note(JSON.stringify(state))
  }
  const { before, after } = bothRules(state)
  /** Rows that changed since they were written, scored again; `all` when it is not known which. */
  const bring = async (stop: AbortSignal, all = false): Promise<void> => {
    const since = await appliedOffsets(log)
    await shadow.copy()
    if (all) await shadow.clear()
    const rows = all ? shadow.rows() : shadow.rows(state.since)
    await writeScored(shadow, rows, after, `${all ? 'all' : 'since'}:${ports.now()}:${since}`, ignore, stop)
    await note({ since, stage: 'built' })
  }

  // Most of it while the jobs go on.
  await bring(signal, state.stage === 'applying')
  const hold = await generations.lock(`rescore promote ${database}`)
  const began = performance.now()
  try {
    const stop = AbortSignal.any([hold.lost, signal])
    // Another promotion may have come first.
    assertSameLive(await generations.current())
    const ends = (await log.offsets(OBSERVATIONS)).toSorted((a, b) => a.partition - b.partition)
    const to = ends.map(({ high }) => high)
    await bring(stop)
    // After the rows: what a row has taken in has its history by then.
    await shadow.link()
    await note({ stage: 'applying' })
    await catchUp(
      { ...ports, database },
      observe,
      { before, after, text: state.before, rescored: current.rescored },
      { from: state.since, to },
      stop,
    )
    await shadow.count()
    const from = ends.map(({ partition, high }) => ({ partition, offset: high }))
    await note({ from, at: ports.now() })
    stop.throwIfAborted()
    await hold.promote({ database, rules: state.after, applied: to, rescored: { before: state.before, since: to } })
  } catch (error) {
    // A lock that was lost cannot be released.
    await hold.release().catch(ignore)
    throw error
  }
  const heldMs = performance.now() - began
  await publishRules(ports, database, state)
  await shadow.dropCopy()
  return { heldMs }
}

/**
 * Writes to the log from which positions the rules apply, unless the log already has it. After the pointer was moved:
 * rules that never became effective are in no log. The next operation that uses rules does this for a command that
 * died in between.
 */
export async function publishRules(
  { log, encodeRules, shadow }: Pick<PromotePorts, 'log' | 'encodeRules' | 'shadow'>,
  database: string,
  state: RescoreState,
): Promise<RescoreState> {
  if (state.stage === 'published' || state.stage === 'told' || state.from.length === 0) return state
  const value = encodeRules({ database, rules: state.after, at: state.at, from: state.from })
  await log.send([{ topic: SCORING_RULES, messages: [{ key: database, value }] }])
  const published: RescoreState = { ...state, stage: 'published' }
  await shadow.note(JSON.stringify(published))
  return published
}
