import type { Batch, Unread } from '../../../connectors/log/port.ts'
import { untilNext } from '../../../platform/pause.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { ACCEPTED_TELEMETRY, CHANGES, TELEMETRY } from '../../../schemas/log/topics.ts'
import {
  DEFAULT_RETENTION_DAYS,
  DEFAULT_REVISION,
  DEFAULT_SELECTOR,
  type OwnerSettings,
} from '../../../schemas/match/settings.ts'
import { changePositions } from '../../runtime/changes/change-positions.ts'
import { changeDecoder, changeReader } from '../../runtime/changes/change-reader.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { type PersistOptions, persist } from '../../runtime/job.ts'
import { mutex } from '../../runtime/mutex.ts'
import { unwritten } from '../../runtime/unwritten.ts'
import { ownerOfEvent } from './events/event-owner.ts'
import { type PreparedBatch, preparer } from './events/prepare.ts'
import { stepEvents } from './events/step-events.ts'
import { type SettingsFollower, settingsFollower } from './follow-settings.ts'
import { lanes } from './lanes.ts'
import { loadContext, loadIndex, noteApplied } from './load.ts'
import type { MatchContext } from './match-context.ts'
import { MATCH_GROUP, type MatchOptions, type MatchPorts } from './ports.ts'
import { changeStepper } from './step-changes.ts'
import { publishStored } from './withdraw.ts'

/**
 * Stores the settings by default of owners whose registered producers send for the first time: what the API accepts has
 * them already.
 */
async function putMissingOwners(
  { settings, producers }: Pick<MatchPorts, 'settings' | 'producers'>,
  { batch, sources }: Pick<PreparedBatch, 'batch' | 'sources'>,
  now: number,
): Promise<void> {
  if (batch.topic !== TELEMETRY) return
  await settings.refresh()
  for (const from of sources) {
    const whose = ownerOfEvent(batch.topic, from, producers)
    if ('reason' in whose || settings.get(whose.owner) !== undefined) continue
    await settings.put(byDefault(whose.owner, now))
    await settings.refresh()
  }
}

const CUSTOMER = 'customer:'

/** Of a customer what all of its members read; what a user reads beside what is public is not known here. */
const byDefault = (owner: string, now: number): OwnerSettings => ({
  owner,
  revision: DEFAULT_REVISION,
  changedAt: now,
  selector: DEFAULT_SELECTOR,
  groups: owner.startsWith(CUSTOMER) ? [customerGroup(owner.slice(CUSTOMER.length)), PUBLIC].sort() : [PUBLIC],
  retentionDays: DEFAULT_RETENTION_DAYS,
  sightings: null,
})

/**
 * The same calls, until the signal is aborted: a process that was stopped for a while and wakes up behind another one that
 * leads by then begins no further write. What it has under way already is dropped by its token, or says the same.
 */
function whileLeading<Calls extends object>(calls: Calls, signal: AbortSignal): Calls {
  return new Proxy(calls, {
    get(of, name) {
      const call: unknown = Reflect.get(of, name)
      if (typeof call !== 'function') return call
      return (...given: unknown[]): unknown => {
        signal.throwIfAborted()
        return Reflect.apply(call, of, given)
      }
    },
  })
}

/** In memory decoded, with what each event meets. */
const PORTION = { maxRecords: 60_000, maxBytes: 24 * 1024 * 1024, lingerMs: 100 }
const FAILED_MS = 1_000
/** How often settings are asked for when nothing comes. */
const IDLE_MS = 500
/** Looks between two looks at which tables are the live ones, when nothing comes: that is a question to the store. */
const TABLES_EVERY = 6

/** What the job reads, and in what portions. A range that was begun is handed out again as it was. */
export const MATCH_READS = {
  group: MATCH_GROUP,
  topics: [TELEMETRY, ACCEPTED_TELEMETRY, CHANGES],
  ...PORTION,
  intent: () => '',
}

type Loaded = {
  context: MatchContext
  settings: SettingsFollower
  stepChanges: ReturnType<typeof changeStepper>
}

/**
 * telemetry.events + telemetry.accepted + entity.changes -> ids, ledger, matches -> match.events (ADR 219)
 *
 * One process does it, as long as it leads the group, in the order of `lanes`: so every event meets what was in the index
 * before it, and every indicator that comes later meets the ledger with the event in it.
 */
export function matchJob(given: MatchPorts, options: MatchOptions) {
  const { now, pause, signal, report } = options
  const ports = { ...given, store: whileLeading(given.store, signal), log: whileLeading(given.log, signal) }
  const prepare = preparer(ports)
  const readChanges = changeReader(ports.registry)
  const moveToDeadLetters = deadLetterWriter(ports.log, ports.breaker)
  const retries: PersistOptions = {
    pause,
    term: signal,
    onFailure: (error) => options.onFailure('cannot match telemetry; retrying', error),
  }
  const lane = lanes()
  const ahead = mutex()
  const tables = unwritten(given.written, now)
  const decode = changeDecoder(ports.registry)
  const positions = changePositions({ log: ports.log, decode, stored: ports.stored, pause, signal })
  let loaded: Loaded | null = null

  async function load(): Promise<Loaded> {
    if (loaded === null) {
      await positions.start(MATCH_GROUP)
      const { context, notes } = await loadContext(ports, options)
      const settings = settingsFollower(context, notes)
      loaded = { context, settings, stepChanges: changeStepper(context) }
    }
    await loaded.settings.refresh()
    await loadIndex(loaded.context, () => positions.stored(positions.now()))
    await publishStored(loaded.context)
    return loaded
  }

  async function isOfLiveTables({ context }: Loaded): Promise<boolean> {
    if (tables.holds()) return true
    const answered = tables.asking()
    const isSame = (await ports.live()).generation === context.index.generation
    if (isSame) answered()
    return isSame
  }

  /**
   * What is loaded; where it would be loaded otherwise by now, that is done first, with nothing else under way.
   * @param lookAtTables whether other tables may have become the live ones
   */
  async function present(lookAtTables = true): Promise<Loaded> {
    if (loaded === null || loaded.context.telling !== null) return lane.alone(load)
    await ports.settings.refresh()
    const isSame = !loaded.settings.differs() && (!lookAtTables || (await isOfLiveTables(loaded)))
    return isSame ? loaded : lane.alone(load)
  }

  async function takeEvents(prepared: PreparedBatch, again: boolean, begin: () => void): Promise<void> {
    const began = now()
    await ports.producers.refresh()
    await putMissingOwners(ports, prepared, now())
    const { context } = await present()
    const { batch, sourceOf } = prepared
    // Tried again, the same are found to be unreadable.
    const dead = [...prepared.dead]
    const step = await stepEvents(context, { ...prepared, dead }, again, (read) => {
      const first = (): ReturnType<typeof read> => {
        begin()
        return read()
      }
      // What was begun before looks at all of it again.
      return again ? lane.alone(async () => (await first())()) : lane.inTwo(first)
    })
    await moveToDeadLetters(batch, dead, sourceOf)
    const age = now() - (batch.messages[0]?.timestamp ?? began)
    report({ kind: 'events', ...step, dead: dead.length, age, took: now() - began })
  }

  async function takeChanges(batch: Batch): Promise<void> {
    const { records: read, dead } = await readChanges(batch)
    const records = [...read]
    await ports.stored(
      records.map(({ value }) => value),
      batch.signal,
    )
    await lane.alone(async () => {
      const { context, stepChanges } = await load()
      const step = await stepChanges(
        records.map(({ message, value }) => ({ change: value, from: batch.partition, time: message.timestamp })),
      )
      if (step.entered + step.left > 0) {
        await noteApplied(context)
        report({ kind: 'changes', ...step })
      }
    })
    await moveToDeadLetters(batch, dead)
  }

  /** Settings that changed, also while nothing comes. */
  async function followSettings(): Promise<void> {
    for (let look = 0; !signal.aborted; look++) {
      try {
        const { settings } = await present(look % TABLES_EVERY === 0)
        if (settings.waits()) await lane.alone(settings.step)
        if (loaded?.settings.waits() !== true) await pause(untilNext(IDLE_MS), signal)
      } catch (error) {
        if (signal.aborted) return
        options.onFailure('cannot apply changed match settings; retrying', error)
        await pause(FAILED_MS, signal)
      }
    }
  }

  /** Resolves once the batch has its turn, so that one at most waits that is read: in memory they are large. */
  async function prepareAndTake(batch: Batch): Promise<{ done: Promise<void> }> {
    const prepared = await prepare(batch)
    return new Promise((resolve) => {
      const begin = (): void => resolve({ done })
      const done = persist(batch, (again) => takeEvents(prepared, again || batch.redelivered, begin), retries)
      // It may end before its turn comes.
      void done.catch(() => undefined).then(begin)
    })
  }

  const following = followSettings()
  return {
    /** Without an owner no change concerns anybody. */
    async skips({ topic, partition, to }: Unread): Promise<boolean> {
      if (topic !== CHANGES) return false
      // What fails here fails with the batch, and is tried again there.
      const now = await present().catch(() => null)
      if (now === null || now.context.owners.size() > 0) return false
      positions.reach(partition, to)
      return true
    },
    async eachBatch(batch: Batch): Promise<void> {
      if (batch.topic === CHANGES) return persist(batch, () => takeChanges(batch), retries)
      const { done } = await ahead.take(() => prepareAndTake(batch))
      return done
    },
    /** After `signal` was aborted. */
    async stopped(): Promise<void> {
      await Promise.allSettled([following, lane.idle()])
    },
  }
}
