import type { SliceWriter } from '../../connectors/history/port.ts'
import type { EventLog, LogMessage } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { audienceId } from '../../schemas/audience.ts'
import type { EntityStates } from '../../schemas/entity-state.ts'
import type { Observation } from '../../schemas/observation.ts'
import { records as types } from '../../schemas/records.ts'
import { type RulesTimeline, rulesAt } from '../../schemas/rules-timeline.ts'
import { OBSERVATIONS } from '../../schemas/topics.ts'
import { applyRecord } from '../processors/apply-batch.ts'
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
const NONE: EntityStates = []

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
  let holding = { ...rules, scoring: rulesAt(timeline, partition, from) }
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
    let at = 0
    for (const message of messages) {
      const key = message.key!
      holdingAt(message.offset)
      const value = records[at]?.message === message ? records[at++]!.value : null
      // Most entities of a feed occur once: what is not there need not be looked for.
      const id = left.isFirst(key) ? null : key.toString('latin1')
      const before = id === null ? undefined : states.get(id)
      const rows = (value === null ? null : applied(value, message, before)) ?? before
      if (left.isLast(key)) {
        if (before !== undefined) states.delete(id!)
        if (rows !== undefined) write(rows)
      } else if (rows !== undefined && rows !== before) states.set(rows[0]!.entityId, rows)
    }
    await writer.room()
  }

  /** The rows of an entity after a record; null when it changes nothing, or is not wanted, or of no use. */
  function applied(o: Observation, { offset, timestamp, key }: LogMessage, before = NONE): EntityStates | null {
    share(o)
    const known = before[0]
    const fault = faultOf(o, timestamp, known) ?? placeFault(o, key, partition, known ? partition : homeOf(key!))
    if (fault !== null) report.dead++
    if (fault !== null || (source !== null && o.source !== source)) return null
    return applyRecord(before, { observation: o, partition, offset, audience: audienceId(o.audience) }, holding, sinks)
  }

  /** Where other scoring rules begin to hold, what is in memory is scored anew, as a promotion did. */
  function holdingAt(offset: number): void {
    if (timeline.length === 0) return
    const scoring = rulesAt(timeline, partition, offset)
    if (scoring === holding.scoring) return
    holding = { ...rules, scoring }
    for (const [id, rows] of states)
      states.set(
        id,
        rows.map((row) => rescored(row, scoring)),
      )
  }

  function write(rows: EntityStates): void {
    for (const last of rows) {
      const row = timeline.length === 0 ? last : rescored(last, final)
      writer.entity(row)
      counts.replace(undefined, row)
    }
    report.entities++
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
