import type { SliceWriter } from '../../connectors/history/port.ts'
import type { EventLog, LogMessage } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { audienceId } from '../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import { type RulesTimeline, rulesAt } from '../../schemas/intelligence/scoring/rules-timeline.ts'
import type { EntityState, EntityStates } from '../../schemas/intelligence/state/entity-state.ts'
import { records as types } from '../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { countDeltas } from '../processors/intelligence/counts.ts'
import type { ObserveRules } from '../processors/intelligence/observe.ts'
import { rescoreRow } from '../processors/intelligence/rescore.ts'
import { applyRecord } from '../processors/intelligence/rows/apply-record.ts'
import { faultOf, placeFault } from '../processors/intelligence/validate.ts'
import { recordDecoder } from '../runtime/decode.ts'
import { remaining } from './remaining.ts'
import { isOf, type Slice } from './slice.ts'
import { waitingRecords } from './waiting.ts'

type Steps = {
  /** The rows of an entity after a record; those before it when it changes nothing. */
  after: (message: LogMessage, before: EntityStates | undefined) => EntityStates | undefined
  /** Called for the rows of an entity that has no more records. */
  complete: (rows: EntityStates) => void
}

/**
 * Rows of the entities of a slice, from the first record of each to its last. An entity of one record is never looked
 * for, and the first of several waits as it is until the second comes.
 * @param waits false where a record must be applied when its turn comes
 */
function entityRows(left: Awaited<ReturnType<typeof remaining>>, waits: boolean, { after, complete }: Steps) {
  const states = new Map<string, EntityStates>()
  const waiting = waits ? waitingRecords(left.places) : null

  /** What is known before a record that is not the first of its place; the one that waited may be of another entity. */
  function before(place: number, { key }: LogMessage, id: string): EntityStates | undefined {
    const earlier = waiting?.take(place) ?? null
    const rows = earlier === null ? undefined : after(earlier, undefined)
    if (rows !== undefined && earlier!.key!.equals(key!)) return rows
    if (rows !== undefined) states.set(rows[0]!.entityId, rows)
    return states.get(id)
  }

  return {
    /** Takes the next record of the slice. */
    add(message: LogMessage): void {
      const place = left.placeOf(message.key!)
      const first = left.isFirst(place)
      const last = left.isLast(place)
      if (first && last) {
        const rows = after(message, undefined)
        if (rows !== undefined) complete(rows)
        return
      }
      if (first && waiting?.put(place, message)) return
      const id = message.key!.toString('latin1')
      const rows = after(message, first ? undefined : before(place, message, id))
      if (last) states.delete(id)
      if (rows === undefined) return
      if (last) complete(rows)
      else states.set(id, rows)
    },
    /** Makes every row another one. */
    map(change: (row: EntityState) => EntityState): void {
      for (const [id, rows] of states) states.set(id, rows.map(change))
    },
    /**
     * After the last record: those that were not known to be complete. They share a place with others, or records that
     * were counted are gone from the log meanwhile.
     */
    *rest(): Generator<EntityStates> {
      yield* states.values()
      for (const message of waiting?.rest() ?? []) {
        const rows = after(message, undefined)
        if (rows !== undefined) yield rows
      }
    },
  }
}

/** Words kept at most, of at most so many characters. */
const MAX = 20_000
const LENGTH = 64

/**
 * Gives equal words of different records the same place in memory: a state keeps those of its last record, and a million
 * states say little that is their own.
 */
function shareWords() {
  const words = new Map<string, string>()

  const one = (word: string): string => {
    if (word.length > LENGTH) return word
    const known = words.get(word)
    if (known !== undefined) return known
    if (words.size >= MAX) words.clear()
    words.set(word, word)
    return word
  }

  // Most say what the one before them said: then nothing need be looked up.
  let last = { type: '', source: '', sourceKind: '' as Observation['sourceKind'], userId: '' }

  return (o: Observation): void => {
    o.type = o.type === last.type ? last.type : one(o.type)
    o.source = o.source === last.source ? last.source : one(o.source)
    o.sourceKind = o.sourceKind === last.sourceKind ? last.sourceKind : (one(o.sourceKind) as Observation['sourceKind'])
    o.userId = o.userId === last.userId ? last.userId : one(o.userId)
    for (let i = 0; i < o.tags.length; i++) o.tags[i] = one(o.tags[i]!)
    last = o
  }
}

/** Records between two looks at whether the store keeps up. */
const PORTION = 1_000
const NONE: EntityStates = []

export type FoldPorts = {
  log: Pick<EventLog, 'scan'>
  registry: Registry
  writer: SliceWriter
  /** The partition that the log gives to a key, of as many as the topic has. */
  homeOf: (key: Buffer) => number
  /** Which scoring rules hold from where on; none: the built-in ones. */
  timeline: RulesTimeline
}

/** Which part of the log is folded: offsets [from, to) of a slice, all of it or the records of one source. */
export type SliceTask = Slice & { from: number; to: number; source: string | null }

export type FoldReport = { records: number; kept: number; dead: number; entities: number }

/**
 * Applies one slice of a partition by the rules of the observation job. Its keys are counted first: the rows of an entity
 * are in memory from its first record to its last, then they are written, once, and counted. Nothing is buried and
 * nobody is told of changes: that was done when the records came (ADR 282).
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
  const { learn, decode } = recordDecoder<Observation>(types.observation, registry)
  const share = shareWords()
  const counts = countDeltas()
  // Under rules that change on the way every record is applied when its turn comes.
  const entities = entityRows(await remaining(log, task), timeline.length === 0, { after, complete: write })
  const final = rulesAt(timeline, partition, to)
  let holding = { ...rules, scoring: rulesAt(timeline, partition, from) }
  const report = { records: 0, kept: 0, dead: 0, entities: 0 }
  const stored = new Set<bigint>()
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
      has: (audience: bigint) => stored.has(audience),
      set: (audience: bigint, groups: readonly string[]): void => {
        stored.add(audience)
        writer.audience(audience, groups)
      },
    },
    changes: null,
  }

  /** The rows of an entity after a record: those before it when it changes nothing, or is not wanted, or of no use. */
  function after(message: LogMessage, before: EntityStates | undefined): EntityStates | undefined {
    const decoded = decode(message)
    if (!decoded.ok) report.dead++
    return (decoded.ok ? applyToRows(decoded.record, message, before) : null) ?? before
  }

  function applyToRows(o: Observation, { offset, timestamp, key }: LogMessage, before = NONE): EntityStates | null {
    share(o)
    const known = before[0]
    const fault = faultOf(o, timestamp, known) ?? placeFault(o, key, partition, known ? partition : homeOf(key!))
    if (fault !== null) report.dead++
    if (fault !== null || (source !== null && o.source !== source)) return null
    const audience = audienceId(o.audience)
    return applyRecord(before, { observation: o, partition, offset, audience, loggedAt: timestamp }, holding, sinks)
  }

  /** Where other scoring rules begin to hold, what is in memory is scored anew, as a promotion did. */
  function holdingAt(offset: number): void {
    if (timeline.length === 0) return
    const scoring = rulesAt(timeline, partition, offset)
    if (scoring === holding.scoring) return
    holding = { ...rules, scoring }
    entities.map((row) => rescoreRow(row, scoring))
  }

  function write(rows: EntityStates): void {
    for (const last of rows) {
      const row = timeline.length === 0 ? last : rescoreRow(last, final)
      writer.entity(row)
      counts.replace(undefined, row)
    }
    report.entities++
  }

  for await (const messages of log.scan(OBSERVATIONS, partition, from, to)) {
    const mine = messages.filter(({ key }) => isOf(task, key))
    await learn(mine)
    for (const [i, message] of mine.entries()) {
      holdingAt(message.offset)
      entities.add(message)
      if (i % PORTION === 0) await writer.room()
    }
    report.records += mine.length
    passed(mine.length)
  }
  let written = 0
  for (const rows of entities.rest()) {
    write(rows)
    if (++written % PORTION === 0) await writer.room()
  }
  for (const delta of counts.deltas()) writer.count(delta)
  await writer.finish()
  return report
}
