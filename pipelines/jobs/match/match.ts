import type { Batch } from '../../../connectors/log/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY, CHANGES, TELEMETRY } from '../../../schemas/log/topics.ts'
import { BreakerOpen } from '../../runtime/breakers/group-breaker.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import { sourceLookup } from '../../runtime/source-of.ts'
import { untilStored } from '../../runtime/until-stored.ts'
import { turns as newTurns } from '../feeds-out/turns.ts'
import { changeStepper } from './changes/step-changes.ts'
import { tellStored } from './changes/withdraw.ts'
import type { MatchContext } from './context.ts'
import { putMissingOwners } from './events/missing-owners.ts'
import { type PreparedBatch, preparer } from './events/prepare.ts'
import { stepEvents } from './events/step-events.ts'
import { loadContext, loadIndex, noteApplied } from './load.ts'
import { MATCH_GROUP, type MatchOptions, type MatchPorts } from './ports.ts'
import { type SettingsFollower, settingsFollower } from './settings/settings.ts'
import { whileLeading } from './while-leading.ts'

/** In memory decoded, with what each event meets. */
const PORTION = { maxRecords: 20_000, maxBytes: 8 * 1024 * 1024, lingerMs: 100 }
const FAILED_MS = 1_000
/** How often settings are asked for when nothing comes. */
const IDLE_MS = 500

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
 * One process does it, as long as it leads the group, one batch after the other: so every event meets what was in the
 * index before it, and every indicator that comes later meets the ledger with the event in it.
 */
export function matchJob(given: MatchPorts, options: MatchOptions) {
  const { now, pause, signal, report } = options
  const ports = { ...given, store: whileLeading(given.store, signal), log: whileLeading(given.log, signal) }
  const prepare = preparer(ports)
  const decode = batchDecoder<Change>(types.change, ports.registry)
  const moveToDeadLetters = deadLetterWriter(ports.log, ports.breaker)
  const storedRows = untilStored(ports.log, pause)
  const turns = newTurns()
  const ahead = newTurns()
  let loaded: Loaded | null = null

  async function load(): Promise<Loaded> {
    if (loaded === null) {
      const { context, notes } = await loadContext(ports, options)
      const settings = settingsFollower(context, notes)
      loaded = { context, settings, stepChanges: changeStepper(context) }
    }
    await loaded.settings.refresh()
    await loadIndex(loaded.context)
    await tellStored(loaded.context)
    return loaded
  }

  async function takeEvents(prepared: PreparedBatch, again: boolean): Promise<void> {
    const began = now()
    await ports.producers.refresh()
    await putMissingOwners(ports, prepared, now())
    const { context } = await load()
    const { batch, sources } = prepared
    // Tried again, the same are found to be unreadable.
    const dead = [...prepared.dead]
    const step = await stepEvents(context, { ...prepared, dead }, again)
    await moveToDeadLetters(batch, dead, sourceLookup(sources))
    const age = now() - (batch.messages[0]?.timestamp ?? began)
    report({ kind: 'events', ...step, dead: dead.length, age, took: now() - began })
  }

  async function takeChanges(batch: Batch): Promise<void> {
    const { records, dead } = await decode(batch.messages)
    await storedRows(
      records.map(({ value }) => value),
      batch.signal,
    )
    await turns.take(async () => {
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

  /** A store that cannot be reached is no fault of a record: the batch waits. */
  async function persist(batch: Pick<Batch, 'signal'>, work: (again: boolean) => Promise<void>): Promise<void> {
    for (let again = false; ; again = true) {
      try {
        return await work(again)
      } catch (error) {
        if (batch.signal.aborted || signal.aborted || error instanceof BreakerOpen) throw error
        options.onFailure('cannot match telemetry; retrying', error)
        await pause(FAILED_MS, batch.signal)
      }
    }
  }

  /** Settings that changed, also while nothing comes. */
  async function followSettings(): Promise<void> {
    while (!signal.aborted) {
      try {
        await turns.take(async () => {
          const { settings } = await load()
          if (settings.waits()) await settings.step()
        })
        if (loaded?.settings.waits() !== true) await pause(IDLE_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        options.onFailure('cannot bring matches to their settings; retrying', error)
        await pause(FAILED_MS, signal)
      }
    }
  }

  /** Resolves once the batch has its turn, so that one at most waits that is read: in memory they are large. */
  async function prepareAndTake(batch: Batch): Promise<{ done: Promise<void> }> {
    const prepared = await prepare(batch)
    return new Promise((resolve) => {
      const done = persist(batch, (again) =>
        turns.take(() => {
          resolve({ done })
          return takeEvents(prepared, again || batch.redelivered)
        }),
      )
      // It may end before its turn comes.
      done.catch(() => undefined).then(() => resolve({ done }))
    })
  }

  const following = followSettings()
  return {
    async eachBatch(batch: Batch): Promise<void> {
      if (batch.topic === CHANGES) return persist(batch, () => takeChanges(batch))
      const { done } = await ahead.take(() => prepareAndTake(batch))
      return done
    },
    /** After `signal` was aborted. */
    async stopped(): Promise<void> {
      await Promise.allSettled([following, turns.idle()])
    },
  }
}
