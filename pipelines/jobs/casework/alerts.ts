import { setImmediate as letOthers } from 'node:timers/promises'
import type { Batch } from '../../../connectors/log/port.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { CHANGES, MATCHES } from '../../../schemas/log/topics.ts'
import { alertFold } from '../../processors/casework/alert-fold.ts'
import {
  type AlertStep,
  decide,
  lookAt,
  type TimedChange,
  type Watched,
  type WideLook,
} from '../../processors/casework/look-at.ts'
import { type WideMemory, wideMemory } from '../../processors/casework/wide-memory.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import { type Job, persist } from '../../runtime/job.ts'
import { viewsNow } from '../../runtime/live-entities.ts'
import { knownLists } from './known-lists.ts'
import { matchAlerts } from './match-alerts.ts'
import { ALERTS_GROUP, type AlertsOptions, type AlertsPorts } from './ports.ts'
import { type Progress, progressOf, withinLog } from './progress.ts'
import { STORED_AT_ONCE, STORED_EVERY_MS, storeAlerts } from './store-alerts.ts'

type WidePorts = Pick<AlertsPorts, 'stored' | 'live'>

/**
 * Decides changes of entities that carry no claims: by the view as it is stored now, once it is (ADR 203). Few entities
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
 * entity.changes -> decode -> lookAt -> alerts (ADR 215); match.events by match-alerts.ts
 *
 * Before each batch the job takes in what users have changed of their watchlists until then, so an item fires for what was
 * logged after it was stored. What some changes did is stored together with how far that was, and nothing is stored beside
 * somebody else who was as far: so each change counts once, whoever is killed. Any number of processes share the
 * partitions.
 */
export function alertsJob(ports: AlertsPorts, options: AlertsOptions): Job {
  const { log, store } = ports
  const { now, report } = options
  const decode = batchDecoder<Change>(types.change, ports.registry)
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

  async function look(batch: Batch, changes: readonly TimedChange[], rules: ScoringRules): Promise<void> {
    const known = partitions.get(batch.partition) ?? (await begin(batch.partition))
    const { progress } = known
    const memory = memoryOf(batch.partition)
    const fold = alertFold()
    const wide: WideLook[] = []
    for (const [n, one] of changes.entries()) {
      if (n % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await letOthers()
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

  async function once(batch: Batch): Promise<void> {
    await lists.refresh()
    if (held !== lists.size()) report({ held: lists.size() })
    held = lists.size()
    if (batch.topic === MATCHES) return matches.once(batch)
    if (lists.index.size() === 0) return
    const { records, dead } = await decode(batch.messages)
    const changes = records.map(({ message, value }): TimedChange => ({ change: value, time: message.timestamp }))
    await look(batch, changes, (await ports.live()).rules)
    await moveToDeadLetters(batch, dead)
  }

  return {
    group: ALERTS_GROUP,
    topics: [CHANGES, MATCHES],
    ...PORTION,
    eachBatch: (batch) =>
      persist(batch, () => once(batch).catch((error) => forgetting(batch, error)), {
        pause: options.pause,
        onFailure: (error) => options.onFailure('cannot fire alerts; retrying', error),
      }),
  }
}
