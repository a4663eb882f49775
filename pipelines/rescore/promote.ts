import type { Generation, Generations, LiveStore, RescoredFrom } from '../../connectors/history/generations/port.ts'
import type { ObservationStore, RescoreShadow } from '../../connectors/history/port.ts'
import type { ScoringRules } from '../../schemas/intelligence/scoring/rules.ts'
import type { PromotedRules } from '../../schemas/intelligence/scoring/rules-timeline.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { CHANGES, OBSERVATIONS, SCORING_RULES } from '../../schemas/log/topics.ts'
import { type ObservationPorts, observationJob } from '../jobs/intelligence/observations.ts'
import type { ObserveRules } from '../processors/intelligence/observe.ts'
import { rescoreRow } from '../processors/intelligence/rescore.ts'
import { PORTION } from '../runtime/job.ts'
import { writeScored } from './build.ts'
import { appliedOffsets, bothRules, type RescoreState } from './rescore-state.ts'

type CatchUpPorts = Omit<ObservationPorts, 'live'> & {
  database: string
  store: ObservationStore
  /** Unix milliseconds. */
  now: () => number
}

/**
 * Applies records that the live generation may not have yet, [from, to) of each partition, by the job that would have.
 * They are of the rules of before: their history and their changes are what the job would have made of them, and only
 * the rows are scored by the rules of after. The counters are not kept: they are counted again.
 */
async function catchUp(
  { database, store, ...ports }: CatchUpPorts,
  observe: ObserveRules,
  /** `rescored`: how the rules of before came into force. */
  rules: { before: ScoringRules; after: ScoringRules; text: string; rescored: RescoredFrom | null },
  range: { from: readonly number[]; to: readonly number[] },
  signal: AbortSignal,
): Promise<number> {
  const { text, rescored } = rules
  const live: LiveStore = { database, rules: text, applied: [], rescored, store: translatingStore(store, rules) }
  const log = {
    ...ports.log,
    // The consumer that delivers these records again writes the dead letters; changes of applied records are not
    // published again.
    send: async (batches: Parameters<typeof ports.log.send>[0]) => {
      const changes = batches.filter(({ topic }) => topic === CHANGES)
      if (changes.length > 0) await ports.log.send(changes)
    },
  }
  const job = observationJob({ ...ports, log, live: async () => live }, observe, {
    now: ports.now,
    report: () => undefined,
  })
  let records = 0
  for (const [partition, to] of range.to.entries()) {
    let from = range.from[partition] ?? 0
    while (from < to) {
      signal.throwIfAborted()
      const messages = await ports.log.read(OBSERVATIONS, partition, from, to, PORTION.maxRecords)
      if (messages.length === 0) break
      const end = messages.at(-1)!.offset + 1
      // As one that was begun before: its history may have been linked already.
      await job.eachBatch({
        topic: OBSERVATIONS,
        partition,
        messages,
        from,
        to: end,
        note: 'rescore:v1',
        redelivered: true,
        highWatermark: to,
        signal,
      })
      records += messages.length
      from = end
    }
  }
  return records
}

/** The job sees rows with the scores of the old rules; they are stored with the scores of the new ones. */
const translatingStore = (store: ObservationStore, { before, after }: Record<'before' | 'after', ScoringRules>) => ({
  ...store,
  gather: () => ({ history: [], rows: [] }),
  rowsOf: async (ids: readonly string[]) => (await store.rowsOf(ids)).map((row) => rescoreRow(row, before)),
  entities: (rows: Parameters<ObservationStore['entities']>[0], token: string) =>
    store.entities(
      // As `gather` above gives them.
      (rows as readonly EntityState[]).map((row) => rescoreRow(row, after)),
      token,
    ),
  counts: async () => undefined,
})

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
 * Makes a rescored generation the live one (ADR 282, 132). Whatever it is stopped at, either the old generation is live
 * with nothing changed, or the new one is; the same call again finishes. What it changed is told by `publishRescored`.
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
