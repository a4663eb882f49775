import type { LiveStore } from '../../../connectors/history/port.ts'
import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { type EntityState, type EntityStates, withRow } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { CHANGES, OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { type AppliedBatch, applyBatch } from '../../processors/intelligence/apply-batch.ts'
import { audiencesOf, changeOf } from '../../processors/intelligence/changes.ts'
import type { ObserveRules } from '../../processors/intelligence/observe.ts'
import { faultOf, placeFault } from '../../processors/intelligence/validate.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import type { Breaker } from '../../runtime/group-breaker.ts'
import { type Job, PORTION } from '../../runtime/job.ts'
import { knownGroups } from '../../runtime/known-groups.ts'
import { sourceLookup } from '../../runtime/source-of.ts'
import { stateCache } from '../../runtime/state-cache.ts'

/**
 * Version of what this job writes. A change of its rules that changes rows must raise it: insert tokens carry it, and a
 * retry under the same token is dropped whatever it holds.
 */
export const SINK = 'observe:v3'
const CACHED_ENTITIES = 10_000
const NONE: EntityStates = []

export type ObservationPorts = {
  log: EventLog
  registry: Registry
  changeSchemaId: number
  /**
   * Where a batch is stored, resolved once its range was begun; waits while a promotion is about to change it (ADR
   * 132).
   */
  live: (signal: AbortSignal) => Promise<LiveStore>
  /** The partition that the log gives to a key. */
  partitionOf: (key: Buffer, partitions: number) => number
  breaker?: Breaker
}

export type BatchReport = {
  partition: number
  records: number
  kept: number
  repeats: number
  /** Records that gave an entity the floor of a covering mark, that let one fade, that took something back. */
  covered: number
  faded: number
  retracted: number
  dead: number
  skipped: number
  lag: number
  /** Milliseconds from the append of the first record to the commit of its batch, and of the batch alone. */
  age: number
  took: number
}

/** What this process knows of the rows of one generation. */
type Memory = {
  live: LiveStore
  cache: ReturnType<typeof stateCache>
  groupsOf: ReturnType<typeof knownGroups>
  /** The token of the last counts of each partition, whose mark the next ones take away. */
  marked: Map<number, string>
  scoring: ScoringRules
}

const memoryOf = (live: LiveStore): Memory => ({
  live,
  cache: stateCache(CACHED_ENTITIES),
  groupsOf: knownGroups(live.store),
  marked: new Map(),
  scoring: rulesIn(live.rules),
})

/**
 * entity.observations -> decode -> validate -> observe -> audiences, history, associations, counts, retractions, entities
 *                                                       -> entity.changes
 *
 * The order of the writes is the guarantee: decisions follow from the entity rows alone. Until those are stored a retry
 * of the same range computes the same rows and changes, the tokens drop what is there already, and consumers know a
 * change by its id; once they are stored, every record of the range counts as applied and a retry writes nothing.
 */
export function observationJob(
  ports: ObservationPorts,
  rules: ObserveRules,
  options: {
    now: () => number
    report: (r: BatchReport) => void
    /** Called with the rows of every batch once they are stored. */
    stored?: (rows: readonly EntityState[]) => void
  },
): Job {
  const decode = batchDecoder<Observation>(types.observation, ports.registry)
  const encode = encoder<Change>(types.change, ports.changeSchemaId)
  const moveToDeadLetters = deadLetterWriter(ports.log, ports.breaker)
  let memory: Memory | undefined
  let partitions: number | undefined

  /** What is remembered is of one generation: another one may say something else. */
  async function memoryFor(signal: AbortSignal): Promise<Memory> {
    const live = await ports.live(signal)
    if (memory?.live !== live) memory = memoryOf(live)
    return memory
  }

  async function statesOf({ cache, live: { store } }: Memory, partition: number, records: readonly Positioned[]) {
    const states = new Map<string, EntityStates>()
    const unknown: string[] = []
    for (const { observation } of records) {
      const id = observation.entityId
      if (states.has(id)) continue
      const cached = cache.get(partition, id)
      states.set(id, cached ?? NONE)
      if (cached === undefined) unknown.push(id)
    }
    for (const row of await store.rowsOf(unknown))
      states.set(row.entityId, withRow(states.get(row.entityId) ?? NONE, row))
    return states
  }

  async function write(memory: Memory, batch: Batch, applied: AppliedBatch): Promise<void> {
    const { partition, redelivered } = batch
    const { marked, live } = memory
    const { store } = live
    // The note is the sink version under which the range was begun: a retry after an upgrade keeps its tokens.
    const token = `${batch.note}:${batch.topic}:${partition}:${batch.from}-${batch.to}`
    const { history, deltas } = redelivered ? await lacking(store, applied, token) : applied
    await store.audiences(applied.audiences, token)
    // Whichever fails first, the other is waited for: nothing is under way any more when the range is repeated.
    const [told, stored] = await Promise.allSettled([tell(memory, applied), storeTables()])
    if (told.status === 'rejected') throw told.reason
    if (stored.status === 'rejected') throw stored.reason
    await store.retractions(applied.retractions, token)
    await store.entities(applied.rows, token)

    async function storeTables(): Promise<void> {
      await store.history(history, token)
      await store.associations(applied.edges, token)
      await store.counts(deltas, token, marked.get(partition))
      if (applied.deltas.length > 0) marked.set(partition, token)
    }
  }

  async function tell({ groupsOf }: Memory, { changes, audiences }: AppliedBatch): Promise<void> {
    const groups = await groupsOf(audiencesOf(changes), audiences)
    const messages = changes.map((told) => ({ key: told.row.entityId, value: encode(changeOf(told, groups)) }))
    if (messages.length > 0) await ports.log.send([{ topic: CHANGES, messages }])
  }

  /** Tables forget tokens after some thousand blocks; a range may have been begun longer ago. */
  async function lacking(store: LiveStore['store'], { history, deltas }: AppliedBatch, token: string) {
    const present = await store.present(history, token)
    return { history: history.filter((r) => !present.history.has(r.offset)), deltas: present.counts ? [] : deltas }
  }

  async function eachBatch(batch: Batch): Promise<void> {
    const began = options.now()
    const { partition } = batch
    const memory = await memoryFor(batch.signal)
    const { cache } = memory
    cache.begin(partition, batch.from)
    const { records, dead } = await decode(batch.messages)
    const valid: Positioned[] = []
    partitions ??= (await ports.log.offsets(batch.topic)).length
    // Applied when these tables became the live ones, by rules that need not be those of now (ADR 132).
    const before = memory.live.applied[partition] ?? 0
    let passed = 0
    const sources = new Map<number, string>()
    for (const { message, value } of records) {
      sources.set(message.offset, value.source)
      const home = message.key === null ? partition : ports.partitionOf(message.key, partitions)
      const fault = faultOf(value, message.timestamp) ?? placeFault(value, message.key, partition, home)
      if (fault !== null) dead.push({ message, reason: fault })
      else if (message.offset < before) passed++
      else valid.push({ observation: value, partition, offset: message.offset, audience: audienceId(value.audience) })
    }
    // Records that a rebuild has skipped still become dead letters: the rebuild writes none.
    await moveToDeadLetters(batch, dead, sourceLookup(sources), before)
    const applied = applyBatch(await statesOf(memory, partition, valid), valid, { ...rules, scoring: memory.scoring })
    try {
      await write(memory, batch, applied)
    } catch (error) {
      cache.drop(partition)
      throw error
    }
    cache.stored(partition, batch.to, applied.states)
    options.stored?.(applied.rows)
    const { covered, tick: faded, retraction: retracted } = applied.silent
    const done = options.now()
    options.report({
      partition,
      records: batch.messages.length,
      kept: applied.history.length,
      repeats: valid.length - applied.history.length - covered - faded - retracted - applied.skipped,
      covered,
      faded,
      retracted,
      dead: dead.length,
      skipped: applied.skipped + passed,
      lag: batch.highWatermark - batch.to,
      age: done - batch.messages[0]!.timestamp,
      took: done - began,
    })
  }

  return { group: 'observe', topics: [OBSERVATIONS], ...PORTION, intent: () => SINK, eachBatch }
}
