import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { listFolder } from '../../../connectors/edge-list/list-folder.ts'
import { type FeedCredentials, feedClient } from '../../../connectors/feed-client/feed-client.ts'
import { allowing } from '../../../edge/listeners/allowed.ts'
import { readZone } from '../../../edge/protocols/dns/zone.ts'
import { pause } from '../../../platform/pause.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import type { Credentials } from '../admin/server-context.ts'
import { withJson } from '../output.ts'
import { amount } from '../values/amount.ts'
import { textOf, wholeNumber } from '../values/values.ts'
import { checkFeed } from './data-folder.ts'
import { type Listen, listenOption, unguarded } from './listen-option.ts'
import { runEdge } from './run-edge.ts'
import { verifyList } from './verify-list.ts'

export type EdgeContext = {
  /** The platform that is asked, with a key pair. */
  open: () => Promise<{ url: string; credentials: Credentials }>
  /** The same where a token takes the place of the key pair. */
  url: () => string
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  signal: AbortSignal
}

type Where = { feed: string; data?: string; tokenFile?: string }
type Flags = Where & { listen: Listen[]; allow?: string[]; authFile?: string; maxAge: number; dnsTtl: number }

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const FEED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function feedId(text: string): string {
  if (FEED.test(text)) return text
  throw new InvalidArgumentError('Expected the id of a feed, as `harrier feed feeds` prints it.')
}

/** A duration in seconds. */
function duration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = count === undefined ? 0 : Number(count) * UNITS[unit!]!
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('Expected a duration such as 90s, 30m, 24h, 7d.')
}

function networks(text: string, before: readonly string[] = []): string[] {
  const given = text.split(',').map((one) => one.trim())
  try {
    allowing(given)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
  return [...before, ...given]
}

/** Adds `edge` and `edge verify`: a feed answered next to the sensor (decisions 19). */
export function registerEdge(program: Command, context: EdgeContext): void {
  const edge = where(program.command('edge'))
    .description('follow one feed and answer from it here, over HTTP, redis, memcached, DNS and files')
    .option(
      '--listen <address>',
      'http://, redis://, memcached://host:port, dns://host:port/zone, file:format:path; may be given again',
      listenOption,
    )
    .option(
      '--allow <networks>',
      'who may ask: networks with commas between them; this machine is 127.0.0.0/8',
      networks,
    )
    .option('--auth-file <file>', 'a secret that clients of http (bearer) and redis (AUTH) have to know')
    .option(
      '--max-age <duration>',
      'how long the platform may be away before nothing is said: 90s, 30m, 24h, 7d',
      duration,
      86_400,
    )
    .option('--dns-ttl <seconds>', 'how long resolvers may keep an answer', wholeNumber(0, 86_400), 60)
    .action((flags: Flags, command: Command) => run(given(flags, ['feed', 'listen'], command), context))
  withJson(where(edge.command('verify')), 'one object with the differences')
    .description(
      'compare the list on the disk with the feed: exit 0 when they are equal, 1 when not, 2 when it could not be told',
    )
    .action((flags: Where & { json?: true }, command: Command) =>
      verify(given({ ...command.parent!.opts(), ...flags }, ['feed'], command), command, context),
    )
}

/** The parser asks for what a command needs on the commands below it, too: so it is asked for here. */
function given<Of extends object>(flags: Of, names: readonly string[], command: Command): Of {
  for (const name of names)
    if (!Object.hasOwn(flags, name)) command.error(`error: required option '--${name}' not specified`, { exitCode: 2 })
  return flags
}

const where = (command: Command): Command =>
  command
    .option('--feed <id>', 'the feed', feedId)
    .option('--data <folder>', 'where the list is kept; default: ./edge-<id>')
    .option('--token-file <file>', 'a file with a download token of the feed, in place of a key pair')

const folderOf = ({ feed, data }: Where): string => data ?? join('.', `edge-${feed}`)

async function clientOf({ feed, tokenFile }: Where, context: EdgeContext) {
  const { url, credentials }: { url: string; credentials: FeedCredentials } =
    tokenFile === undefined
      ? await context.open()
      : { url: context.url(), credentials: { token: await secretIn(tokenFile) } }
  return { url, client: feedClient(new URL(url), feed, credentials) }
}

/** The first line of a file. @throws UsageError when there is none */
async function secretIn(file: string): Promise<string> {
  const [secret = ''] = (await textOf(file)).split(/\r?\n/, 1)
  if (secret.trim() === '') throw new UsageError(`${file} is empty`)
  return secret.trim()
}

async function run(flags: Flags, context: EdgeContext): Promise<void> {
  const { listen: listens, allow, authFile, feed, maxAge, dnsTtl } = flags
  const missing = unguarded(listens, { allow: allow !== undefined, secret: authFile !== undefined })
  if (missing !== null) throw new UsageError(missing)
  for (const one of listens) if (one.protocol === 'dns') checkedZone(one.zone)
  const secret = authFile === undefined ? null : await secretIn(authFile)
  const stop = new AbortController()
  const terminate = (): void => stop.abort()
  // What stops a service: it ends by itself.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, terminate)
  const { url, client } = await clientOf(flags, context)
  await runEdge(client, {
    platform: url,
    feed,
    folder: folderOf(flags),
    listens,
    allow: allow ?? null,
    secret,
    maxAgeSeconds: maxAge,
    dnsTtl,
    signal: AbortSignal.any([context.signal, stop.signal]),
    say: (line) => void context.stdout.write(`${new Date().toISOString()} ${line}\n`),
  })
}

function checkedZone(zone: string): void {
  try {
    readZone(zone)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function verify(flags: Where & { json?: true }, command: Command, context: EdgeContext): Promise<void> {
  const folder = folderOf(flags)
  let list: ReturnType<ReturnType<typeof listFolder>['open']> = null
  try {
    checkFeed(folder, flags.feed)
    list = listFolder(folder, { writes: false }).open()
    if (list === null) throw new Error(`${folder} has no list`)
    const { client } = await clientOf(flags, context)
    const found = await verifyList({ feed: client, list, pause, signal: context.signal })
    const { sequence, items, differences } = found
    context.stdout.write(
      flags.json
        ? `${JSON.stringify({ feed: flags.feed, sequence, items, differences })}\n`
        : differences.length === 0
          ? `equal: ${amount(items, 'item')} at the sequence ${sequence}\n`
          : `${differences.join('\n')}\n`,
    )
    if (differences.length > 0) command.error('the list and the feed differ', { exitCode: 1 })
  } catch (error) {
    if ((error as { code?: string }).code === 'commander.error') throw error
    command.error((error as Error).message, { exitCode: 2 })
  } finally {
    await list?.close()
  }
}
