import { access, constants } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { EVENT_FORMATS, type EventFormat } from '../../../schemas/match/mappings/lines.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { asking } from '../admin/context.ts'
import type { Credentials } from '../admin/server.ts'
import { withJson } from '../output.ts'
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

/** Adds `match tail`: the log of a sensor, as telemetry (decisions 14.1). */
export function registerMatch(program: Command, context: MatchContext): void {
  const match = program
    .command('match')
    .description('send telemetry to a running platform, which matches it with known indicators')
  withJson(asking(match.command('tail <file>')), 'the totals as one line of JSON')
    .description('send the log of a sensor as telemetry; `-` reads the standard input')
    .addOption(new Option('--format <name>', 'format of the lines').choices([...EVENT_FORMATS]).makeOptionMandatory())
    .option('--follow', 'continue as the file grows or is rotated, until interrupted')
    .action((place: string, flags: Flags) => tail(place, flags, context))
}

type Flags = { format: EventFormat; follow?: true; json?: true }

async function tail(place: string, { format, follow, json }: Flags, context: MatchContext): Promise<void> {
  if (place !== '-') await access(place, constants.R_OK).catch(unusable(place))
  const { url, credentials } = await context.open()
  const stop = new AbortController()
  const terminate = (): void => stop.abort()
  // What stops a service: it ends by itself, with everything sent.
  process.once('SIGTERM', terminate)
  const counts = tally(context.stderr)
  const summary = (): void =>
    void context.stdout.write(json ? `${JSON.stringify(counts.totals())}\n` : counts.summary())
  const timer = follow ? setInterval(summary, SUMMARY_EVERY_MS) : undefined
  try {
    await run(place, format, follow === true, {
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
  if (context.signal.aborted)
    throw new Interrupted('all lines that were read have been sent; lines that are sent again count once')
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
