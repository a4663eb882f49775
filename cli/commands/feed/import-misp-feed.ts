import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openMispFeed } from '../../../connectors/feeds/misp-place.ts'
import { type EventFault, readManifest } from '../../../connectors/feeds/parse/misp/manifest.ts'
import { eventNamed } from '../../../connectors/feeds/parse/misp/single.ts'
import { type StatementStore, StatementsInUse } from '../../../connectors/feeds/statements/port.ts'
import { openStatements } from '../../../connectors/feeds/statements/sqlite.ts'
import { RetractionPending, type RetractResult } from '../../../connectors/operations/retractions/port.ts'
import { type EventResult, runEventImport } from '../../../pipelines/import/events/run-events.ts'
import { takeBackOwed } from '../../../pipelines/import/events/take-back.ts'
import { pause } from '../../../platform/pause.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document } from '../output.ts'
import { progressTo } from '../progress.ts'
import { amount } from '../values/amount.ts'
import { unusable } from '../values/values.ts'
import type { FeedImportContext, FeedImportFlags, FeedImportProcess } from './import-context.ts'
import { importKey, readFlags } from './import-options.ts'
import { ALL_REJECTED, rejectedLines } from './rejected.ts'
import type { FeedRetractContext } from './retract.ts'
import { withheldAdvice } from './withheld.ts'

export type MispFeedContexts = {
  open: () => Promise<FeedImportContext>
  /** Opened when something is to be taken back. */
  openRetract: () => Promise<FeedRetractContext>
}

/** Faults that are named; further ones are counted. */
const MAX_NAMED = 100
const PATIENCE = { stalledMs: 60_000, mostMs: Number.POSITIVE_INFINITY }
const REASON = 'left the MISP feed'

/**
 * `feed import --format misp-feed`: the events of a manifest that changed since the last import, and what left the feed since
 * (decisions 15.4). Ends with 1 when an event could not be read or a retraction is left.
 */
export async function importMispFeed(
  command: Command,
  place: string,
  flags: FeedImportFlags,
  contexts: MispFeedContexts,
  process: FeedImportProcess,
): Promise<void> {
  const settings = readFlags({ ...flags, format: 'misp' })
  if (place === '-') throw new UsageError('-: a MISP feed is a folder or a URL with a manifest.json')
  const { stderr, stdout, now, signal } = process
  const source = await openMispFeed(place).catch(unusable(place))
  const manifest = readManifest(await source.manifest())
  const context = await contexts.open()
  const progress = progressTo(stderr, null, now)
  const rejects = rejectedLines(flags.rejects)
  let store: StatementStore | null = null
  try {
    store = openStatements(statementsFile(context.dataDir, settings.feed.name))
    const result = await runEventImport(context, store, {
      feed: settings.feed,
      readers: settings.readers,
      place: source.identity,
      settings: importKey('misp-feed', settings),
      manifest,
      read: async (uuid) => eventNamed(uuid, await source.event(uuid), settings.parse),
      rejects: await rejects.open(0),
      restart: flags.restart === true,
      now,
      maxObservations: settings.maxObservations,
      signal,
      onProgress: ({ published, rejected }) => progress.update({ bytes: 0, published, rejected }),
    })
    progress.stop()
    if (!flags.json) stdout.write(summary(result))
    stderr.write(rejects.text(result.rejected))
    stderr.write(withheldAdvice(result.withheld))
    // Before what may fail: a retraction that is left does not hide what could not be read.
    name(result.faults, stderr)
    if (result.interrupted) throw new Interrupted(summary(result).trimEnd())
    const taken = await takeBack(command, store, feedSource(settings.feed.name), contexts, process)
    const { retracted, changed } = taken ?? { retracted: 0, changed: 0 }
    if (flags.json) stdout.write(document({ ...result, firstRejected: rejects.first, retracted, changed }))
    else if (taken !== null)
      stdout.write(`${amount(retracted, 'entity', 'entities')} retracted, ${amount(changed, 'score')} changed\n`)
    if (result.faults.length > 0)
      command.error(`${result.faults.length} events could not be read; they stay as they were`, { exitCode: 1 })
    if (result.published === 0 && result.rejected > 0)
      command.error(`all ${result.rejected} attributes were rejected and nothing was imported`, {
        exitCode: ALL_REJECTED,
      })
  } catch (error) {
    if (error instanceof StatementsInUse) command.error(error.message, { exitCode: 1 })
    throw error
  } finally {
    progress.stop()
    store?.close()
    await context.close()
  }
}

/** What a feed has stated is kept for its name: all imports of the feed know of each other. */
const statementsFile = (dataDir: string, feed: string): string =>
  join(dataDir, 'imports', `events-${hash('sha256', feed, 'hex').slice(0, 32)}.sqlite`)

/** null when nothing was to be taken back. */
async function takeBack(
  command: Command,
  store: StatementStore,
  source: string,
  { openRetract }: MispFeedContexts,
  { stderr, now, signal }: FeedImportProcess,
): Promise<RetractResult | null> {
  const owes = store.owes()
  if (owes === 0) return null
  const left = (why: string): never =>
    command.error(`${why}; ${store.owes()} entities are not retracted yet: run the same command again`, { exitCode: 1 })
  const opened = await openRetract().catch((error: Error) => left(error.message))
  const { dedupeWindow, close, ...ports } = opened
  try {
    const options = { source, reason: REASON, dedupeWindow, patience: PATIENCE, now, pause, signal }
    const result = await takeBackOwed(ports, store, options, ({ retracted }) => {
      stderr.write(`${retracted} of ${owes} entities retracted so far\n`)
    })
    return result.refused > 0 ? left(`retractions that were refused: ${result.refused}`) : result
  } catch (error) {
    if (error instanceof RetractionPending) left(error.message)
    throw error
  } finally {
    await close()
  }
}

const summary = ({ read, unchanged, left, published, rejected }: EventResult): string =>
  `${amount(read, 'event')} read, ${unchanged} unchanged, ${left} left the feed; ${amount(published, 'observation')} published, ${amount(rejected, 'line')} rejected\n`

/** Names come from the feed: nothing in them may move the cursor of a terminal. */
function name(faults: readonly EventFault[], stderr: NodeJS.WritableStream): void {
  for (const fault of faults.slice(0, MAX_NAMED))
    stderr.write(`${fault.name.slice(0, 200)}: ${fault.reason.slice(0, 500)}`.replace(/\p{C}/gu, '?').concat('\n'))
  if (faults.length > MAX_NAMED) stderr.write(`and ${faults.length - MAX_NAMED} more\n`)
}
