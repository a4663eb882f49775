import type { Command } from 'commander'
import { RetractionPending } from '../../../connectors/operations/retractions/port.ts'
import {
  type RetractOptions,
  type RetractPorts,
  type RetractResult,
  runRetraction,
} from '../../../pipelines/retract/run.ts'
import { pause as forReal } from '../../../platform/pause.ts'
import { datetime } from '../../../schemas/intelligence/entities/datatypes/time.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'

export type FeedRetractContext = RetractPorts & { dedupeWindow: number; close(): Promise<void> }

export type FeedRetractProcess = {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Unix milliseconds. */
  now: () => number
  pause?: typeof forReal
  signal: AbortSignal
}

type Flags = { from?: string; to?: string; dryRun?: boolean; reason?: string }

/** As the record that carries it: a header. */
const MAX_REASON = 500
/** Records that are not applied for this long are reported as waiting for jobs that do not run. */
const PATIENCE = { stalledMs: 60_000, mostMs: Number.POSITIVE_INFINITY }
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

    const window = { from, to, reason, dryRun: flags.dryRun ?? false }
    const result = await run(feedSource(name), window).catch((error: unknown) => {
      if (error instanceof RetractionPending) return command.error(error.message, { exitCode: 1 })
      throw error
    })
    if (result === null) return command.error(`the feed ${name} has no reports`, BAD_ARGUMENTS)
    process.stdout.write(window.dryRun ? planSummary(result) : summary(result))
    if (result.refused > 0)
      command.error(
        `${result.refused} retractions were refused and changed nothing; 'harrier dead-letters list ${OBSERVATIONS}' shows why`,
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
      const options = { ...window, source, dedupeWindow, patience: PATIENCE, now, signal, pause, onProgress }
      return await runRetraction(ports, options)
    } finally {
      await close()
    }
  }

  const onProgress = ({ found, retracted, changed }: RetractResult): void =>
    void process.stderr.write(`${found} entities found, ${retracted} retractions, ${changed} scores changed so far\n`)
}

/** RFC 3339, with its offset; unix milliseconds. */
function moment(command: Command, option: string, text: string | undefined): number {
  if (text === undefined) return command.error(`${option} is missing`, BAD_ARGUMENTS)
  const value = datetime(text)
  return typeof value === 'string'
    ? Date.parse(value)
    : command.error(`${option}: expected a time with an offset, such as 2026-05-01T12:30:00Z`, BAD_ARGUMENTS)
}

const planSummary = ({ found, retracted, before }: RetractResult): string =>
  `${found} entities reported; ${retracted} would be retracted, ${before} are already retracted\n`

const summary = ({ found, retracted, before, changed, left }: RetractResult): string =>
  `${found} entities reported, ${retracted} retracted, ${before} were already retracted; ${changed} scores changed\n` +
  (left === 0
    ? ''
    : `${left} entities were reported all the while and keep tags or attributes; run the command again\n`)
