import type { Command } from 'commander'
import {
  type RetractOptions,
  type RetractPorts,
  type RetractResult,
  runRetraction,
} from '../../../pipelines/retract/run.ts'
import { pause } from '../../../platform/pause.ts'
import { datetime } from '../../../schemas/intelligence/entities/datatypes/time.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'

export type FeedRetractContext = RetractPorts & { dedupeWindow: number; close(): Promise<void> }

export type FeedRetractProcess = {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Unix milliseconds. */
  now: () => number
  signal: AbortSignal
}

type Flags = { from?: string; to?: string; dryRun?: boolean; reason?: string }

/** As the record that carries it: a header. */
const MAX_REASON = 500
const BAD_ARGUMENTS = { exitCode: 2 }

/** Adds `retract` to the command `feed`. `open` connects log and history once the arguments are known to be right. */
export function registerFeedRetraction(
  feed: Command,
  open: () => Promise<FeedRetractContext>,
  process: FeedRetractProcess,
): void {
  const command = feed
    .command('retract <feed>')
    .description(
      'retract the reports of a feed in a time window; scores become what they would be without these reports',
    )
    .option('--from <time>', 'start of the window, such as 2026-05-01T12:30:00Z')
    .option('--to <time>', 'end of the window, included; not in the future')
    .option('--dry-run', 'print how much would be retracted and change nothing')
    .option('--reason <text>', `reason that is stored with the records, at most ${MAX_REASON} characters`)
  command.action(async (name: string, flags: Flags) => {
    const from = moment(command, '--from', flags.from)
    const to = moment(command, '--to', flags.to)
    if (from > to) command.error('--from is after --to', BAD_ARGUMENTS)
    if (to > process.now()) command.error('--to is in the future', BAD_ARGUMENTS)
    const reason = flags.reason ?? null
    if (reason !== null && reason.length > MAX_REASON)
      command.error(`--reason is longer than ${MAX_REASON} characters`, BAD_ARGUMENTS)

    const summaryText = await runAndSummarise(feedSource(name), { from, to, reason, dryRun: flags.dryRun ?? false })
    if (summaryText === null) return command.error(`the feed ${name} has no reports`, BAD_ARGUMENTS)
    process.stdout.write(summaryText)
  })

  /** null: the source is unknown. */
  async function runAndSummarise(
    source: string,
    window: Pick<RetractOptions, 'from' | 'to' | 'reason' | 'dryRun'>,
  ): Promise<string | null> {
    const { dedupeWindow, close, ...ports } = await open()
    try {
      if (!(await ports.store.known(source))) return null
      const { now, signal } = process
      const result = await runRetraction(ports, {
        ...window,
        source,
        dedupeWindow,
        now,
        signal,
        pause,
        onProgress,
      })
      return window.dryRun ? planSummary(result) : summary(result)
    } finally {
      await close()
    }
  }

  const onProgress = ({ found, sent, changed }: RetractResult): void =>
    void process.stderr.write(`${found} entities found, ${sent} retractions, ${changed} scores changed so far\n`)
}

/** RFC 3339, with its offset; unix milliseconds. */
function moment(command: Command, option: string, text: string | undefined): number {
  if (text === undefined) return command.error(`${option} is missing`, BAD_ARGUMENTS)
  const value = datetime(text)
  return typeof value === 'string'
    ? Date.parse(value)
    : command.error(`${option}: expected a time with an offset, such as 2026-05-01T12:30:00Z`, BAD_ARGUMENTS)
}

const planSummary = ({ found, sent, before }: RetractResult): string =>
  `${found} entities reported; ${sent} would be retracted, ${before} are already retracted\n`

const summary = ({ found, sent, before, changed, left }: RetractResult): string =>
  `${found} entities reported, ${sent} retracted, ${before} were already retracted; ${changed} scores changed\n` +
  (left === 0
    ? ''
    : `${left} entities were reported all the while and keep tags or attributes; run the command again\n`)
