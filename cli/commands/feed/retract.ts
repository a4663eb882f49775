import type { Command } from 'commander'
import { RetractionPending, type RetractResult } from '../../../connectors/operations/retractions/port.ts'
import type { RetractOptions, RetractPorts } from '../../../pipelines/retract/ports.ts'
import { runRetraction } from '../../../pipelines/retract/run-retract.ts'
import { pause as forReal } from '../../../platform/pause.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, withJson } from '../output.ts'
import { amount } from '../values/amount.ts'
import { exactTime } from '../values/relative-time.ts'
import { moment } from '../values/values.ts'

export type FeedRetractContext = RetractPorts & { dedupeWindow: number; close(): Promise<void> }

export type FeedRetractProcess = {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Unix milliseconds. */
  now: () => number
  pause?: typeof forReal
  signal: AbortSignal
}

type Flags = { from: number; to?: number; dryRun?: boolean; reason?: string; json?: true }

/** As the record that carries it: a header. */
const MAX_REASON = 500
/** Records that are not applied for this long are reported as waiting for jobs that do not run. */
const PATIENCE = { stalledMs: 60_000, mostMs: Number.POSITIVE_INFINITY }

/** Adds `retract` to the command `feed`. `open` connects log and history once the arguments are known to be right. */
export function registerFeedRetraction(
  feed: Command,
  open: () => Promise<FeedRetractContext>,
  process: FeedRetractProcess,
): void {
  const done = { found: 0, retracted: 0 }
  withJson(feed.command('retract <feed>'))
    .description(
      'retract the reports of a feed in a time window; scores become what they would be without these reports',
    )
    .requiredOption(
      '--from <time>',
      'start of the window, such as 2026-05-01T12:30:00Z, or 7d ago',
      moment(process.now),
    )
    .option('--to <time>', 'end of the window, included; default: now', moment(process.now))
    .option('--dry-run', 'print how much would be retracted and change nothing')
    .option('--reason <text>', `reason that is stored with the records, at most ${MAX_REASON} characters`)
    .action(async (name: string, flags: Flags) => {
      const present = process.now()
      const { from, to = present, reason = null, dryRun = false, json } = flags
      if (to > present) throw new UsageError('--to is in the future')
      if (from > to) throw new UsageError(`--from is after ${flags.to === undefined ? 'the present moment' : '--to'}`)
      if (reason !== null && reason.length > MAX_REASON)
        throw new UsageError(`--reason is longer than ${MAX_REASON} characters`)

      const window = { from, to, reason, dryRun }
      const result = await run(feedSource(name), window).catch((error: unknown) => {
        if (error instanceof RetractionPending) return feed.error(error.message, { exitCode: 1 })
        if (process.signal.aborted)
          throw new Interrupted(`${done.retracted} of ${done.found} entities retracted`, null, { cause: error })
        throw error
      })
      if (result === null) throw new UsageError(`the feed ${name} has no reports`)
      if (json) process.stdout.write(document({ ...result, dryRun, from: exactTime(from), to: exactTime(to) }))
      else process.stdout.write(dryRun ? planSummary(result, window) : summary(result))
      if (result.refused > 0)
        feed.error(
          `retractions that were refused and changed nothing: ${result.refused}; 'harrier dead-letters list ${OBSERVATIONS}' shows why`,
          { exitCode: 1 },
        )
    })

  /** null: the source is unknown. */
  async function run(
    source: string,
    window: Pick<RetractOptions, 'from' | 'to' | 'reason' | 'dryRun'>,
  ): Promise<RetractResult | null> {
    const { dedupeWindow, close, ...ports } = await open()
    try {
      if (!(await ports.store.known(source))) return null
      const { now, signal, pause = forReal } = process
      const progress = window.dryRun ? onPlanned : onProgress
      const options = { ...window, source, dedupeWindow, patience: PATIENCE, now, signal, pause, onProgress: progress }
      return await runRetraction(ports, options)
    } finally {
      await close()
    }
  }

  const onProgress = ({ found, retracted, changed }: RetractResult): void => {
    Object.assign(done, { found, retracted })
    process.stderr.write(
      `${entities(found)} found, ${retracted} retracted, ${amount(changed, 'score')} changed so far\n`,
    )
  }
  const onPlanned = ({ found, retracted }: RetractResult): void =>
    void process.stderr.write(`${entities(found)} found, ${retracted} would be retracted so far\n`)
}

const entities = (n: number): string => amount(n, 'entity', 'entities')

const planSummary = (
  { found, retracted, before }: RetractResult,
  { from, to }: Pick<RetractOptions, 'from' | 'to'>,
): string =>
  `${entities(found)} reported from ${exactTime(from)} to ${exactTime(to)}; the reports of ${retracted} would be retracted, of ${before} they already are; nothing was changed\n`

const summary = ({ found, retracted, before, changed, left }: RetractResult): string =>
  `${entities(found)} reported, ${retracted} retracted, ${before} already retracted; ${amount(changed, 'score')} changed\n` +
  (left === 0
    ? ''
    : `${entities(left)} reported during the retraction, with tags or attributes that stay; run the command again\n`)
