import { setImmediate as letOthers } from 'node:timers/promises'
import type { Batch } from '../../../connectors/log/port.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { CHANGES, MATCHES } from '../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import { alertFold } from '../../processors/casework/alert-fold.ts'
import {
  type AlertStep,
  decide,
  lookAt,
  type TimedChange,
  type Watched,
  type WideLook,
} from '../../processors/casework/look-at.ts'
import { lookAtMatch } from '../../processors/casework/look-at-match.ts'
import { type WideMemory, wideMemory } from '../../processors/casework/wide-memory.ts'
import { changeReader } from '../../runtime/changes/change-reader.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder, type DecodedRecord } from '../../runtime/decode.ts'
import { type Job, persist } from '../../runtime/job.ts'
import { viewsNow } from '../../runtime/live-entities.ts'
import { type Progress, progressOf, withinLog } from './alert-progress.ts'
import { type KnownLists, knownLists } from './known-lists.ts'
import { ALERTS_GROUP, type AlertsOptions, type AlertsPorts } from './ports.ts'

/** Alerts of one transaction, and those of one record more: it holds up whoever else writes to the embedded database. */
const STORED_AT_ONCE = 500
/**
 * How far it is, is stored with alerts, and else so often: what was sent again after a crash fires nothing a second time
 * then, and few batches fire something.
 */
const STORED_EVERY_MS = 5_000

type Fold = ReturnType<typeof alertFold>

/**
 * Stores what some records did to alerts with how far they were looked at, all or nothing.
 * @returns whether there was anything to store
 * @throws Error when another process was as far: what it did is skipped in the next try
 */
async function storeAlerts(
  { store }: Pick<AlertsPorts, 'store'>,
  { now, report }: Pick<AlertsOptions, 'now' | 'report'>,
  { topic, partition, signal }: Pick<Batch, 'topic' | 'partition' | 'signal'>,
  fold: Fold,
  progress: Progress,
): Promise<boolean> {
  const moves = progress.moves()
  if (moves.moves.length === 0) return false
  signal.throwIfAborted()
  const stored = await store.writer.store(fold.take(), moves, now())
  if (stored === 'moved') throw new Error(`partition ${partition} of ${topic} is looked at by another process`)
  progress.stored()
  report({ stored })
  return true
}

/** Records of a partition that are remembered: what was sent again after a crash of who sent it comes soon. */
const MAX_KNOWN = 20_000

type Followed = { progress: Progress; storedAt: number; known: Set<string> }

/**
 * match.events -> decode -> lookAtMatch -> alerts (ADR 280)
 *
 * How far each partition is, is stored with the alerts, as of entity.changes, and apart from it.
 */
function matchAlerts(ports: AlertsPorts, options: AlertsOptions, lists: Pick<KnownLists, 'matches'>) {
  const { log, store } = ports
  const { now } = options
  const decode = batchDecoder<MatchRecord>(types.match, ports.registry)
  const moveToDeadLetters = deadLetterWriter(log, ports.breaker)
  const partitions = new Map<number, Followed>()

  async function begin(partition: number): Promise<Followed> {
    const positions = await store.writer.positions(partition, MATCHES)
    const within = await withinLog(log, positions, { topic: MATCHES, partition })
    const progress = progressOf(partition, positions, within, MATCHES)
    const begun = { progress, storedAt: now(), known: new Set<string>() }
    partitions.set(partition, begun)
    return begun
  }

  return {
    /** Of a batch after the lists were asked for. */
    async once(batch: Batch): Promise<void> {
      const { partition } = batch
      const { records, dead } = await decode(batch.messages)
      const followed = partitions.get(partition) ?? (await begin(partition))
      const { progress, known } = followed
      const fold = alertFold()
      const flush = async (): Promise<void> => {
        if (await storeAlerts(ports, options, batch, fold, progress)) followed.storedAt = now()
      }
      for (const { message, value: match } of records) {
        const { offset, timestamp: time } = message
        if (!progress.pass({ partition: 0, offset }) || !isNew(known, match)) continue
        lookAtMatch({ match, partition, offset, time }, lists.matches, fold.add)
        if (fold.size() >= STORED_AT_ONCE) await flush()
      }
      if (fold.size() > 0 || now() - followed.storedAt >= STORED_EVERY_MS) await flush()
      await moveToDeadLetters(batch, dead)
    },
    /** What was looked at and is not stored is looked at again. */
    forget: (partition: number): void => void partitions.delete(partition),
  }
}

/** A record that was sent twice says the same (match-event.avsc). */
function isNew(known: Set<string>, { id, step, stepAt }: MatchRecord): boolean {
  const key = `${id} ${step} ${stepAt}`
  if (known.has(key)) return false
  if (known.size >= MAX_KNOWN) known.delete(known.values().next().value!)
  known.add(key)
  return true
}

type WidePorts = Pick<AlertsPorts, 'stored' | 'live'>

/**
 * Decides changes of entities that carry no claims: by the view as it is stored now, once it is (ADR 271). Few entities
 * have so many reports.
 */
export const wideLooks =
  ({ stored, live }: WidePorts) =>
  async (
    look: WideLook,
    memory: WideMemory,
    index: Watched['index'],
    tell: (step: AlertStep) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const { change, reader } = look
    await stored([change], signal)
    const { rows, rules } = await live()
    const after = (await viewsNow(rows, [change.entityId], reader.reads, rules)).get(change.entityId)
    if (after !== undefined) decide(look, reader, memory.take(change, reader, after), index, tell)
  }

/** In memory decoded, and looked at again when the process is killed. */
const PORTION = { maxRecords: 5_000, maxBytes: 4 * 1024 * 1024, lingerMs: 100 }
/** Changes that are looked at before others get a turn: this process may answer requests too. */
const LOOKED_AT_ONCE = 500

/**
 * entity.changes -> decode -> lookAt -> alerts (ADR 280); match.events by match-alerts.ts
 *
 * Before each batch the job takes in what users have changed of their watchlists until then, so an item fires for what was
 * logged after it was stored. What some changes did is stored together with how far that was, and nothing is stored beside
 * somebody else who was as far: so each change counts once, whoever is killed. Any number of processes share the
 * partitions.
 */
export function alertsJob(ports: AlertsPorts, options: AlertsOptions): Job {
  const { log, store } = ports
  const { now, report } = options
  const readChanges = changeReader(ports.registry)
  const moveToDeadLetters = deadLetterWriter(log, ports.breaker)
  const lists = knownLists(store.lists)
  const lookAtWide = wideLooks(ports)
  const matches = matchAlerts(ports, options, lists)
  /** By partition: how far it is, and when that was stored last. Not known: as the store has it. */
  const partitions = new Map<number, { progress: Progress; storedAt: number }>()
  const memories = new Map<number, WideMemory>()
  let held = 0

  async function begin(partition: number) {
    const positions = await store.writer.positions(partition)
    const begun = { progress: progressOf(partition, positions, await withinLog(log, positions)), storedAt: now() }
    partitions.set(partition, begun)
    return begun
  }

  function memoryOf(partition: number): WideMemory {
    const memory = memories.get(partition) ?? wideMemory()
    memories.set(partition, memory)
    return memory
  }

  /** What was looked at and is not stored is looked at again. */
  function forgetting({ topic, partition }: Batch, error: unknown): never {
    if (topic === MATCHES) matches.forget(partition)
    else {
      partitions.delete(partition)
      memories.get(partition)?.drop()
    }
    throw error
  }

  async function look(batch: Batch, changes: Iterable<DecodedRecord<Change>>, rules: ScoringRules): Promise<void> {
    const known = partitions.get(batch.partition) ?? (await begin(batch.partition))
    const { progress } = known
    const memory = memoryOf(batch.partition)
    const fold = alertFold()
    const wide: WideLook[] = []
    let looked = 0
    for (const { message, value: change } of changes) {
      if (++looked % LOOKED_AT_ONCE === 0) await letOthers()
      const one: TimedChange = { change, time: message.timestamp }
      if (!progress.pass(one.change)) continue
      if (!one.change.wide) memory.forget(one.change.entityId)
      lookAt(one, lists, rules, fold.add, (look) => wide.push(look))
      for (const look of wide.splice(0)) await lookAtWide(look, memory, lists.index, fold.add, batch.signal)
      if (fold.size() >= STORED_AT_ONCE) await flush()
    }
    if (fold.size() > 0 || now() - known.storedAt >= STORED_EVERY_MS) await flush()
    memory.keep()

    async function flush(): Promise<void> {
      if (!(await storeAlerts(ports, options, batch, fold, progress))) return
      memory.keep()
      known.storedAt = now()
    }
  }

  /** Takes in what users have changed until then. @returns the items that a record of the topic may concern */
  async function itemsOf(topic: string): Promise<number> {
    await lists.refresh()
    if (held !== lists.size()) report({ held: lists.size() })
    held = lists.size()
    return topic === MATCHES ? lists.matches.size() : lists.index.size()
  }

  async function once(batch: Batch): Promise<void> {
    if ((await itemsOf(batch.topic)) === 0) return
    if (batch.topic === MATCHES) return matches.once(batch)
    const { records, dead } = await readChanges(batch)
    await look(batch, records, (await ports.live()).rules)
    await moveToDeadLetters(batch, dead)
  }

  return {
    group: ALERTS_GROUP,
    topics: [CHANGES, MATCHES],
    ...PORTION,
    // A question that fails is asked again with the batch.
    skips: ({ topic }) =>
      itemsOf(topic).then(
        (items) => items === 0,
        () => false,
      ),
    eachBatch: (batch) =>
      persist(batch, () => once(batch).catch((error) => forgetting(batch, error)), {
        pause: options.pause,
        onFailure: (error) => options.onFailure('cannot fire alerts; retrying', error),
      }),
  }
}
