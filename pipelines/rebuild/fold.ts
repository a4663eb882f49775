import type { SliceWriter } from '../../connectors/history/port.ts'
import type { EventLog, LogMessage } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { audienceId } from '../../schemas/audience.ts'
import type { EntityStates } from '../../schemas/entity-state.ts'
import type { Observation } from '../../schemas/observation.ts'
import { records as types } from '../../schemas/records.ts'
import { type RulesTimeline, rulesAt } from '../../schemas/rules-timeline.ts'
import type { Positioned } from '../../schemas/stored.ts'
import { OBSERVATIONS } from '../../schemas/topics.ts'
import { fold } from '../processors/apply-batch.ts'
import { countDeltas } from '../processors/counts.ts'
import type { ObserveRules } from '../processors/observe.ts'
import { rescored } from '../processors/rescore.ts'
import { faultOf, placeFault } from '../processors/validate.ts'
import { batchDecoder } from '../runtime/decode.ts'
import { READ, remaining } from './remaining.ts'
import { shared } from './share.ts'
import { isOf, type Slice } from './slice.ts'

/** Records that are decoded before they are applied: so few that none outlives a young generation. */
const PORTION = 1_000

export type FoldPorts = {
  log: Pick<EventLog, 'read'>
  registry: Registry
  writer: SliceWriter
  /** The partition that the log gives to a key, of as many as the topic has. */
  homeOf: (key: Buffer) => number
  /** Which scoring rules hold from where on; none: the built-in ones. */
  timeline: RulesTimeline
}

/** What of the log is folded: offsets [from, to) of a slice, all of it or what one source said. */
export type SliceTask = Slice & { from: number; to: number; source: string | null }

export type FoldReport = { records: number; kept: number; dead: number; entities: number }

/**
 * Applies one slice of a partition by the rules of the observation job. Its keys are counted first: the rows of an entity
 * are in memory from its first record to its last, then they are written, once, and counted. Nothing is buried and
 * nobody is told of changes: that was done when the records came.
 * @param passed told of the records of the slice that were applied since the last time
 * @throws what the ports throw; then the slice is done again from its start
 */
export async function foldSlice(
  { log, registry, writer, homeOf, timeline }: FoldPorts,
  task: SliceTask,
  rules: ObserveRules,
  passed: (records: number) => void,
): Promise<FoldReport> {
  const { partition, from, to, source } = task
  const decode = batchDecoder<Observation>(types.observation, registry)
  const share = shared()
  const states = new Map<string, EntityStates>()
  const counts = countDeltas()
  const left = await remaining(log, task)
  const final = rulesAt(timeline, partition, to)
  let scoring = rulesAt(timeline, partition, from)
  const report = { records: 0, kept: 0, dead: 0, entities: 0 }
  const told = new Set<bigint>()
  const sinks = {
    history: {
      push: (record: Parameters<SliceWriter['history']['push']>[0]): void => {
        report.kept++
        writer.history.push(record)
      },
    },
    edges: writer.edges,
    retractions: writer.retractions,
    audiences: {
      has: (audience: bigint) => told.has(audience),
      set: (audience: bigint, groups: readonly string[]): void => {
        told.add(audience)
        writer.audience(audience, groups)
      },
    },
    changes: null,
  }

  async function apply(messages: readonly LogMessage[]): Promise<void> {
    const { records, dead } = await decode(messages)
    report.records += messages.length
    report.dead += dead.length
    const valid: Positioned[] = []
    for (const { message, value } of records) {
      share(value)
      const known = states.get(value.entityId)?.[0]
      const home = known === undefined && message.key !== null ? homeOf(message.key) : partition
      if (faultOf(value, message.timestamp, known) ?? placeFault(value, message.key, partition, home)) report.dead++
      else if (source === null || value.source === source)
        valid.push({ observation: value, partition, offset: message.offset, audience: audienceId(value.audience) })
    }
    for (const some of byRules(valid)) fold(states, some, { ...rules, scoring }, sinks)
    for (const { key } of messages) if (left.isLast(key!)) end(key!.toString('latin1'))
    await writer.room()
  }

  /** In portions of one set of rules; before those of another, what is in memory is scored anew, as a promotion did. */
  function* byRules(records: Positioned[]): Generator<Positioned[]> {
    if (timeline.length === 0) return yield records
    let begin = 0
    for (const [i, { offset }] of records.entries()) {
      const holding = rulesAt(timeline, partition, offset)
      if (holding === scoring) continue
      yield records.slice(begin, i)
      begin = i
      scoring = holding
      for (const [id, rows] of states)
        states.set(
          id,
          rows.map((row) => rescored(row, holding)),
        )
    }
    yield records.slice(begin)
  }

  function write(rows: EntityStates): void {
    for (const last of rows) {
      const row = timeline.length === 0 ? last : rescored(last, final)
      writer.entity(row)
      counts.replace(undefined, row)
    }
    report.entities++
  }

  function end(id: string): void {
    const rows = states.get(id)
    if (rows === undefined) return
    states.delete(id)
    write(rows)
  }

  for (let next = from; next < to; ) {
    const messages = await log.read(OBSERVATIONS, partition, next, to, READ)
    // Nothing below the end: marks of transactions took the rest of the range.
    next = (messages.at(-1)?.offset ?? to - 1) + 1
    const mine = messages.filter(({ key }) => isOf(task, key))
    for (let i = 0; i < mine.length; i += PORTION) await apply(mine.slice(i, i + PORTION))
    passed(mine.length)
  }
  // Those that share their place with others.
  let waiting = 0
  for (const rows of states.values()) {
    write(rows)
    if (++waiting % PORTION === 0) await writer.room()
  }
  for (const delta of counts.deltas()) writer.count(delta)
  await writer.finish()
  return report
}
