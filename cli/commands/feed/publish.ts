import type { Command } from 'commander'
import { MAX_ITEMS } from '../../../schemas/feeds-out/formats/format.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { type AdminContext, asking, collect, pathOf } from '../admin/context.ts'
import type { AdminRequest } from '../admin/server-context.ts'
import { jsonLines, LINES, show, withJson } from '../output.ts'
import { table } from '../table.ts'
import { textOf, wholeNumber } from '../values/values.ts'

type Flags = {
  selector?: string
  description?: string
  group?: string[]
  cap?: number
  /** false: `--no-guard`. */
  guard?: string | false
  open?: true
  id?: string
  json?: true
}

export type PublishedFeed = { id: string; name: string; state: string; items: number; sequence: number }

const FEEDS = '/api/feeds/v1/feeds'
/** Of one page, and of all pages that are listed. */
const PAGE = 1_000
const MAX_FEEDS = 100_000

/** Adds `publish`, `feeds` and `show` to `feed`: lists that leave a running platform (decisions 11.7). */
export function registerPublishing(feed: Command, context: AdminContext): void {
  withJson(asking(feed.command('publish <name>')))
    .description('publish a list of the entities that a selector chooses, or change one')
    .option('--selector <json>', 'selector of the list as JSON; @file reads it from a file')
    .option('--description <text>')
    .option('--group <name>', 'group of the reader of the feed; may be repeated', collect)
    .option('--cap <n>', `maximum number of items, 1 to ${MAX_ITEMS}`, wholeNumber(1, MAX_ITEMS))
    .option('--guard <json>', 'which changes are held, such as {"loss": 0.5, "gain": 4, "from": 100}')
    .option('--no-guard', 'never hold a change, however large it is')
    .option(
      '--open',
      'everybody may read the feed, also without a key; needs the role trusted, and its group is public',
    )
    .option('--id <id>', 'change this feed')
    .action(async (name: string, flags: Flags) => {
      const { id, group, open, json } = flags
      if (id === undefined && flags.selector === undefined) throw new UsageError('--selector is required')
      if (id !== undefined && (group !== undefined || open !== undefined))
        throw new UsageError('--group and --open cannot be changed: publish a new feed instead')
      const body = { name, ...(await bodyOf(flags)) }
      const ask = await context.open()
      if (id !== undefined) return show(context, await ask('PATCH', byId(id), body), json)
      const alone = open !== true && (await isAdministrator(ask))
      show(context, await ask('POST', FEEDS, body), json)
      if (alone) context.stderr.write(`${ALONE}\n`)
    })
  withJson(asking(feed.command('feeds')), LINES)
    .description('list the published feeds: id, state, items, sequence, name')
    .action(async ({ json }: { json?: true }) => {
      const feeds = await publishedFeeds(await context.open())
      if (json) context.stdout.write(jsonLines(feeds))
      else context.stdout.write(feeds.length === 0 ? 'no feeds are published\n' : formatPublished(feeds))
    })
  withJson(asking(feed.command('show <id>')))
    .description('show a published feed')
    .action(async (id: string, { json }: { json?: true }) =>
      show(context, await (await context.open())('GET', byId(id)), json),
    )
}

const ALONE =
  'This feed belongs to the built-in administrator, and no other user can read it: publish it with --open, or with the key pair of a member of your team in HARRIER_API_KEY and HARRIER_API_SECRET.'

/** Whether the command asks as the administrator that is no account and has no team. */
async function isAdministrator(ask: AdminRequest): Promise<boolean> {
  return ((await ask('GET', '/auth/v2/user')) as { administrator: boolean }).administrator
}

const byId = (id: string): string => FEEDS + pathOf`/${id}`

async function bodyOf({ selector, description, group, cap, guard, open }: Flags): Promise<object> {
  return {
    ...(selector === undefined ? {} : { selector: await jsonOf('--selector', selector) }),
    ...(description === undefined ? {} : { description }),
    // An open feed has what everybody may read, and no other group can be meant.
    ...(group === undefined && !open ? {} : { groups: group ?? [PUBLIC] }),
    ...(cap === undefined ? {} : { cap }),
    ...(guard === undefined ? {} : { guard: guard === false ? null : await jsonOf('--guard', guard) }),
    ...(open === undefined ? {} : { open }),
  }
}

/** The value of an option: JSON, or `@` and the file that it is in. */
async function jsonOf(option: string, given: string): Promise<unknown> {
  const text = given.startsWith('@') ? await textOf(given.slice(1)) : given
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${option} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** The feeds that the caller may read and change, newest first. */
export async function publishedFeeds(ask: AdminRequest): Promise<PublishedFeed[]> {
  const feeds: PublishedFeed[] = []
  for (let after = ''; feeds.length < MAX_FEEDS; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(after === '' ? {} : { after }) })
    const { items, next } = (await ask('GET', `${FEEDS}?${query}`)) as { items: PublishedFeed[]; next?: string }
    feeds.push(...items)
    if (next === undefined) break
    after = next
  }
  return feeds
}

export const formatPublished = (feeds: readonly PublishedFeed[]): string =>
  table(
    ['ID', 'STATE', 'ITEMS', 'SEQUENCE', 'NAME'],
    feeds.map(({ id, state, items, sequence, name }) => [id, state, String(items), String(sequence), name]),
  )
