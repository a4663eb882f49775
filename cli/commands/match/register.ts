import { access, constants } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { lineReader } from '../../../connectors/feeds/line-reader.ts'
import { EVENT_FORMATS, type EventFormat, lineMapper } from '../../../schemas/match/mappings/event-lines.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { asking } from '../admin/context.ts'
import type { Credentials } from '../admin/server-context.ts'
import { withJson } from '../output.ts'
import { unusable } from '../values/values.ts'
import { NEXT_FILE, type Piece, readLog, readStream } from './follow.ts'
import { collector } from './portion.ts'
import { type Poster, poster } from './post.ts'
import { type Tally, tally } from './tally.ts'

/** Characters; a longer line is bad, and is not held. */
const MAX_LINE = 1024 * 1024
/** How long an event waits for others. */
const WAIT_MS = 1_000

type TailOptions = { format: EventFormat; post: Poster; tally: Tally; signal: AbortSignal }

/** Opens a log; it ends with the signal. */
type OpenLog = (signal: AbortSignal) => AsyncGenerator<Piece>

/**
 * pieces of a log -> lines -> events -> portions -> the platform. One portion is under way at a time, and nothing is read
 * meanwhile: the order of the log is the order of the events, and memory holds one portion, one piece and one line.
 */
export async function tailLog(open: OpenLog, options: TailOptions): Promise<void> {
  const { post, tally, signal } = options
  const portions = collector(() => performance.now())
  const send = async (): Promise<void> => {
    const portion = portions.take()
    if (portion === null) return
    const { accepted, refused } = await post(portion)
    tally.accepted(accepted)
    for (const { line, reason } of refused) tally.bad(portion.lines[line - 1]!, reason)
  }
  const log = eventsOf(options)
  const failed = new AbortController()
  const source = open(AbortSignal.any([signal, failed.signal]))
  let next = source.next()
  try {
    for (;;) {
      const piece = await before(next, portions.since())
      if (piece === LATE) {
        await send()
        continue
      }
      // After the signal the last line may be half of one.
      const isEnd = piece.done === true
      const events = isEnd ? (signal.aborted ? [] : log.end()) : log.read(piece.value)
      for (const { event, line } of events) {
        if (!portions.fits(event)) await send()
        portions.add(event, line)
      }
      if (isEnd) return await send()
      next = source.next()
    }
  } finally {
    // A log that is followed may be silent for hours.
    failed.abort()
    await next.catch(() => undefined)
    await source.return(undefined)
  }
}

const LATE = Symbol('late')

/** What comes, or `LATE` when events have waited long enough before it does. */
async function before<T>(next: Promise<T>, since: number | null): Promise<T | typeof LATE> {
  if (since === null) return next
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, since + WAIT_MS - performance.now()), LATE)
  })
  return Promise.race([next, late]).finally(() => clearTimeout(timer))
}

type Told = { event: string; line: number }

/** The events of the pieces of a log, and the end of its last line. Lines count from 1 in every file. */
function eventsOf({ format, tally }: TailOptions): { read(piece: Piece): Iterable<Told>; end(): Iterable<Told> } {
  const map = lineMapper(format)
  let reader = lineReader(MAX_LINE)
  let decoder = new TextDecoder()
  let line = 0
  function* ofLines(lines: readonly (string | null)[]): Generator<Told> {
    for (const text of lines) {
      line++
      tally.read()
      const mapped = text === null ? { reason: `is longer than ${MAX_LINE} characters` } : map(text)
      if (mapped === null) continue
      if ('reason' in mapped) {
        tally.bad(line, mapped.reason)
        continue
      }
      if (mapped.events.length === 0) tally.nothing()
      tally.left(mapped.left)
      for (const event of mapped.events) yield { event, line }
    }
  }
  function* end(): Generator<Told> {
    yield* ofLines(reader.push(decoder.decode()))
    yield* ofLines(reader.end())
    reader = lineReader(MAX_LINE)
    decoder = new TextDecoder()
    line = 0
  }
  return {
    read: (piece) => (piece === NEXT_FILE ? end() : ofLines(reader.push(decoder.decode(piece, { stream: true })))),
    end,
  }
}

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
