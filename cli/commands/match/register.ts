import { access, constants } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { EVENT_FORMATS, type EventFormat } from '../../../schemas/match/mappings/lines.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { asking } from '../admin/context.ts'
import type { Credentials } from '../admin/server.ts'
import { unusable } from '../values/values.ts'
import { readLog, readStream } from './follow.ts'
import { poster } from './post.ts'
import { type OpenLog, tailLog } from './tail.ts'
import { tally } from './tally.ts'

type Output = { write(text: string): unknown }

export type MatchContext = {
  open: () => Promise<{ url: string; credentials: Credentials }>
  stdin: Readable
  stdout: Output
  stderr: Output
  /** Aborted when the caller does not need the result any more. */
  signal: AbortSignal
}

const SUMMARY_EVERY_MS = 60_000

/** Adds `match tail`: the log of a sensor, as telemetry (decisions-2 14.1). */
export function registerMatch(program: Command, context: MatchContext): void {
  const match = program.command('match').description('meet telemetry with what is known')
  asking(match.command('tail <file>'))
    .description('send the log of a sensor as telemetry; `-` reads the standard input')
    .requiredOption('--format <name>', `one of ${EVENT_FORMATS.join(', ')}`)
    .option('--follow', 'go on as the file grows or is rotated, until interrupted')
    .action((place: string, flags: { format: string; follow?: true }) => tail(place, flags, context))
}

async function tail(place: string, flags: { format: string; follow?: true }, context: MatchContext): Promise<void> {
  const format = EVENT_FORMATS.find((name) => name === flags.format)
  if (format === undefined)
    throw new UsageError(`--format ${flags.format}: expected one of ${EVENT_FORMATS.join(', ')}`)
  if (place !== '-') await access(place, constants.R_OK).catch(unusable(place))
  const { url, credentials } = await context.open()
  const stop = new AbortController()
  const terminate = (): void => stop.abort()
  // What stops a service: it ends by itself, with everything sent.
  process.once('SIGTERM', terminate)
  const counts = tally(context.stderr)
  const summary = (): void => void context.stdout.write(counts.summary())
  const timer = flags.follow ? setInterval(summary, SUMMARY_EVERY_MS) : undefined
  try {
    await run(place, format, flags.follow === true, {
      ...context,
      signal: AbortSignal.any([context.signal, stop.signal]),
      url,
      credentials,
      counts,
    })
  } finally {
    clearInterval(timer)
    process.removeListener('SIGTERM', terminate)
    summary()
  }
}

type Run = Pick<MatchContext, 'stdin' | 'stderr' | 'signal'> & {
  url: string
  credentials: Credentials
  counts: ReturnType<typeof tally>
}

function run(place: string, format: EventFormat, follow: boolean, options: Run): Promise<void> {
  const { stdin, stderr, signal, url, credentials, counts } = options
  const post = poster({ url, credentials, signal, warn: (text) => void stderr.write(`${text}\n`) })
  const open: OpenLog = (until) =>
    place === '-' ? readStream(stdin, until) : readLog(place, { follow, signal: until })
  return tailLog(open, { format, post, tally: counts, signal }).catch(unusable(place))
}
