import type { LiveStore } from '../../../connectors/history/generations/port.ts'
import type { GatheredRows } from '../../../connectors/history/port.ts'
import type { Batch, EventLog, LogMessage } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { changedStates } from '../../processors/intelligence/apply-batch.ts'
import type { ObserveRules } from '../../processors/intelligence/observe.ts'
import { foldBatch } from '../../processors/intelligence/rows/fold-batch.ts'
import { faultOf, placeFault } from '../../processors/intelligence/validate.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import { sourceLookup } from '../../runtime/breakers/source-of.ts'
import type { DeadRecord } from '../../runtime/dead-letter.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { recordDecoder } from '../../runtime/decode.ts'
import { type Job, PORTION } from '../../runtime/job.ts'
import { gatheredChanges } from './gathered-changes.ts'
import { gatheredEntities } from './gathered-entities.ts'
import { memoryOf, type ObservationMemory, type Places, placesOf } from './observation-memory.ts'
import { observationWriter } from './observation-writer.ts'

/**
 * From so many records a second of one partition on, a portion and what it takes may last so long, in milliseconds;
 * `saturated`: only where the processors have no free moment. The last that fits holds.
 */
const STRETCHES = [
  { from: 100, saturated: false, withinMs: 400 },
  { from: 1_200, saturated: true, withinMs: 900 },
  { from: 3_000, saturated: true, withinMs: 2_500 },
]

/**
 * How far the wait for more records is stretched (ADR 267). A batch costs the store about the same for ten reports as for a
 * thousand, so while they keep coming the next one waits for more: from a rate on that is no trickle any more, as long as
 * what was acknowledged is visible within half a second; at high rates, where the processors have no free moment, within
 * one second or three, as everything waits for them then.
 * @param rate records a second of one partition
 */
export function stretchOf(rate: number, saturated: () => boolean = () => false): number {
  const fits = STRETCHES.findLast((each) => rate >= each.from && (!each.saturated || saturated()))
  return fits?.withinMs ?? 0
}

/**
 * Version of what this job writes. A change of its rules that changes rows must raise it: insert tokens carry it, and a
 * retry under the same token is dropped whatever it holds.
 */
export const SINK = 'observe:v7'

/**
 * Most that one batch takes, which only a job that is behind meets: the store pays for a batch by its keys, its parts and
 * their merges, so more records at once cost it a quarter less each. What waits in memory sets the bound (ADR 265).
 */
const FAR_BEHIND = { ...PORTION, maxRecords: 40_000, maxBytes: 32 * 1024 * 1024 }

export type ObservationPorts = {
  log: EventLog
  registry: Registry
  changeSchemaId: number
  /** Whether an index of look-ups is wanted, and the schema of the rows that it is then sent; default: none is. */
  indexes?: { wanted: () => Promise<boolean>; schemaId: number }
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
  /** Records that cleared a mark, or took the floor of one away. */
  unmarked: number
  /** Records that told of an entity that other scoring rules rate otherwise. */
  rescored: number
  dead: number
  skipped: number
  lag: number
  /** Milliseconds from the append of the first record to the commit of its batch, and of the batch alone. */
  age: number
  took: number
}

/**
 * entity.observations -> decode -> validate -> observe -> audiences, history, associations, counts, retractions, entities
 *                                                       -> entity.changes
 *                                                       -> the propagation of covering marks
 *
 * The order of the writes: observation-writer.ts.
 */
export function observationJob(
  ports: ObservationPorts,
  rules: ObserveRules,
  options: {
    now: () => number
    report: (r: BatchReport) => void
    /** The rows that `stored` is called with; default: all. */
    concerns?: (row: EntityState) => boolean
    /** Called with what every batch stored, before it is committed; of a redelivered one with all rows of its entities. */
    stored?: (rows: readonly EntityState[]) => Promise<void>
    /** Whether the processors of the machine are all busy; default: never. */
    saturated?: () => boolean
  },
): Job {
  const { learn, decode } = recordDecoder<Observation>(types.observation, ports.registry)
  const write = observationWriter(ports)
  const moveToDeadLetters = deadLetterWriter(ports.log, ports.breaker)
  let memory: ObservationMemory | undefined
  let partitions: number | undefined

  /** What is remembered is of one generation: another one may say something else. */
  async function memoryFor(signal: AbortSignal): Promise<ObservationMemory> {
    const live = await ports.live(signal)
    if (memory?.live !== live) memory = memoryOf(live)
    return memory
  }

  /** The records of a batch that can be applied, decoded one by one as they are asked for, and what became of the others. */
  function reading({ messages, partition }: Batch, { live }: ObservationMemory, places: Places, partitions: number) {
    // Applied when these tables became the live ones, by rules that need not be those of now (ADR 132).
    const before = live.applied[partition] ?? 0
    const found = { before, dead: [] as DeadRecord[], sources: new Map<number, string>(), passed: 0, count: 0 }
    let at = -1
    let source = ''

    function faultIn(observation: Observation, { key, timestamp }: LogMessage): string | null {
      const home = key === null ? partition : ports.partitionOf(key, partitions)
      return faultOf(observation, timestamp) ?? placeFault(observation, key, partition, home)
    }

    function* valid(): Generator<Positioned> {
      for (const message of messages) {
        at++
        const decoded = decode(message)
        if (!decoded.ok) {
          found.dead.push({ message, reason: decoded.reason })
          continue
        }
        const { offset, timestamp } = message
        const observation = decoded.record
        // Of equal texts one is kept.
        if (observation.source !== source) source = observation.source
        found.sources.set(offset, source)
        const fault = message.checked ? null : faultIn(observation, message)
        if (fault !== null) found.dead.push({ message, reason: fault })
        else if (offset < before) found.passed++
        else {
          found.count++
          yield { observation, partition, offset, audience: audienceId(observation.audience), loggedAt: timestamp }
        }
      }
    }
    // Its key is the id of its entity, or it would not be valid.
    return Object.assign(found, { valid, place: () => places.ofRecords[at]! })
  }

  async function eachBatch(batch: Batch): Promise<void> {
    const began = options.now()
    const { partition } = batch
    const memory = await memoryFor(batch.signal)
    const { cache } = memory
    cache.begin(partition, batch.from)
    await learn(batch.messages)
    partitions ??= (await ports.log.offsets(batch.topic)).length
    const places = await placesOf(memory, partition, batch.messages)
    const read = reading(batch, memory, places, partitions)
    // A retry compares with what is stored, so it has its rows as lists.
    const rows: GatheredRows = batch.redelivered ? { history: [], rows: [] } : memory.live.store.gather()
    const { indexes } = ports
    const entities =
      indexes !== undefined && (await indexes.wanted())
        ? gatheredEntities(indexes.schemaId, memory.live.database, batch)
        : null
    const given = {
      ...rows,
      edges: [],
      audiences: new Map(),
      retractions: [],
      changes: gatheredChanges(ports.changeSchemaId),
      entities,
    }
    const told: EntityState[] = []
    const tellingRows = {
      push(row: EntityState): void {
        rows.rows.push(row)
        if (options.stored && options.concerns?.(row) !== false) told.push(row)
      },
    }
    // What an earlier attempt changed is no change any more: it may have died, or not have heard that the rows are stored.
    const folded = foldBatch(
      places.byId,
      read.valid(),
      read.place,
      { ...rules, scoring: memory.scoring, rulesChange: memory.rulesChange },
      { ...given, rows: tellingRows },
      batch.redelivered,
    )
    const kept = rows.history.length
    // Records that a rebuild has skipped still become dead letters: the rebuild writes none.
    await moveToDeadLetters(batch, read.dead, sourceLookup(read.sources), read.before)
    try {
      await write(memory, batch, { ...given, deltas: folded.deltas })
      await options.stored?.(told)
    } catch (error) {
      cache.drop(partition)
      throw error
    }
    cache.stored(partition, batch.to, changedStates(places.byId))
    const { covered, tick: faded, retraction: retracted, unmark, uncovered, rescored } = folded.silent
    const unmarked = unmark + uncovered
    const done = options.now()
    options.report({
      partition,
      records: batch.messages.length,
      kept,
      repeats: read.count - kept - covered - faded - retracted - unmarked - rescored - folded.skipped,
      covered,
      faded,
      retracted,
      unmarked,
      rescored,
      dead: read.dead.length,
      skipped: folded.skipped + read.passed,
      lag: batch.highWatermark - batch.to,
      age: done - batch.messages[0]!.timestamp,
      took: done - began,
    })
  }

  const stretch = (rate: number): number => stretchOf(rate, options.saturated)
  return { group: OBSERVERS, topics: [OBSERVATIONS], ...FAR_BEHIND, stretch, intent: () => SINK, eachBatch }
}
