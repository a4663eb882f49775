import type { ObservationStore } from '../../connectors/history/port.ts'
import type { Batch, EventLog } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { audienceId } from '../../schemas/audience.ts'
import { type EntityStates, withRow } from '../../schemas/entity-state.ts'
import type { Observation } from '../../schemas/observation.ts'
import { records as types } from '../../schemas/records.ts'
import type { Positioned } from '../../schemas/stored.ts'
import { deadTopic, OBSERVATIONS } from '../../schemas/topics.ts'
import { type Applied, applyBatch } from '../processors/apply-batch.ts'
import type { ObserveRules } from '../processors/observe.ts'
import { faultOf, placeFault } from '../processors/validate.ts'
import { buried, type Dead } from '../runtime/dead-letter.ts'
import { batchDecoder } from '../runtime/decode.ts'
import { type Job, PORTION } from '../runtime/job.ts'
import { stateCache } from '../runtime/state-cache.ts'

/**
 * Version of what this job writes. A change of its rules that changes rows must raise it: insert tokens carry it, and a
 * retry under the same token is dropped whatever it holds.
 */
const SINK = 'observe:v1'
const CACHED_ENTITIES = 10_000
const NONE: EntityStates = []

export type ObservationPorts = {
  log: EventLog
  registry: Registry
  store: ObservationStore
  /** The partition that the log gives to a key. */
  partitionOf: (key: Buffer, partitions: number) => number
}

export type BatchReport = {
  partition: number
  records: number
  kept: number
  repeats: number
  dead: number
  skipped: number
  lag: number
  /** Milliseconds from the append of the first record to the commit of its batch, and of the batch alone. */
  age: number
  took: number
}

/**
 * entity.observations -> decode -> validate -> observe -> audiences, history, associations, counts, entities
 *
 * The order of the writes is the guarantee: decisions follow from the entity rows alone. Until those are stored a retry
 * of the same range computes the same rows, and the tokens drop what is there already; once they are stored, every
 * record of the range counts as applied and a retry writes nothing.
 */
export function observationJob(
  ports: ObservationPorts,
  rules: ObserveRules,
  options: { now: () => number; report: (r: BatchReport) => void },
): Job {
  const decode = batchDecoder<Observation>(types.observation, ports.registry)
  const cache = stateCache(CACHED_ENTITIES)
  /** The token of the last counts of each partition, whose mark the next ones take away. */
  const marked = new Map<number, string>()
  let partitions: number | undefined

  async function statesOf(partition: number, records: readonly Positioned[]) {
    const states = new Map<string, EntityStates>()
    const unknown: string[] = []
    for (const { observation } of records) {
      const id = observation.entityId
      if (states.has(id)) continue
      const cached = cache.get(partition, id)
      states.set(id, cached ?? NONE)
      if (cached === undefined) unknown.push(id)
    }
    for (const row of await ports.store.rowsOf(unknown))
      states.set(row.entityId, withRow(states.get(row.entityId) ?? NONE, row))
    return states
  }

  async function store(batch: Batch, applied: Applied): Promise<void> {
    const { partition, redelivered } = batch
    // The note is the sink version under which the range was begun: a retry after an upgrade keeps its tokens.
    const token = `${batch.note}:${batch.topic}:${partition}:${batch.from}-${batch.to}`
    const { history, deltas } = redelivered ? await lacking(applied, token) : applied
    await ports.store.audiences(applied.audiences, token)
    await ports.store.history(history, token)
    await ports.store.associations(applied.edges, token)
    await ports.store.counts(deltas, token, marked.get(partition))
    if (applied.deltas.length > 0) marked.set(partition, token)
    await ports.store.entities(applied.rows, token)
  }

  /** Tables forget tokens after some thousand blocks; a range may have been begun longer ago. */
  async function lacking({ history, deltas }: Applied, token: string) {
    const present = await ports.store.present(history, token)
    return { history: history.filter((r) => !present.history.has(r.offset)), deltas: present.counts ? [] : deltas }
  }

  async function eachBatch(batch: Batch): Promise<void> {
    const began = options.now()
    const { partition } = batch
    cache.begin(partition, batch.from)
    const { records, dead } = await decode(batch.messages)
    const valid: Positioned[] = []
    partitions ??= (await ports.log.offsets(batch.topic)).length
    for (const { message, value } of records) {
      const home = message.key === null ? partition : ports.partitionOf(message.key, partitions)
      const fault = faultOf(value, message.timestamp) ?? placeFault(value, message.key, partition, home)
      if (fault !== null) dead.push({ message, reason: fault })
      else valid.push({ observation: value, partition, offset: message.offset, audience: audienceId(value.audience) })
    }
    if (dead.length > 0) await bury(batch, dead)
    const applied = applyBatch(await statesOf(partition, valid), valid, rules)
    try {
      await store(batch, applied)
    } catch (error) {
      cache.drop(partition)
      throw error
    }
    cache.stored(partition, batch.to, applied.states)
    const done = options.now()
    options.report({
      partition,
      records: batch.messages.length,
      kept: applied.history.length,
      repeats: valid.length - applied.history.length - applied.skipped,
      dead: dead.length,
      skipped: applied.skipped,
      lag: batch.highWatermark - batch.to,
      age: done - batch.messages[0]!.timestamp,
      took: done - began,
    })
  }

  const bury = (batch: Batch, dead: readonly Dead[]): Promise<void> =>
    ports.log.send([{ topic: deadTopic(batch.topic), messages: dead.map((d) => buried(batch, d)) }])

  return { group: 'observe', topics: [OBSERVATIONS], ...PORTION, intent: () => SINK, eachBatch }
}
