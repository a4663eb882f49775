import type { Command } from 'commander'
import { type FeedRegistration, feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { asking } from '../admin/context.ts'
import type { AdminRequest } from '../admin/server-context.ts'
import { jsonLines, LINES, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { formatPublished, type PublishedFeed, publishedFeeds } from './publish.ts'

export type FeedList = { feeds(): Promise<FeedRegistration[]>; close(): Promise<void> }

export type FeedListContext = {
  /** The registrations, of the log of this machine or of the brokers. */
  open: () => Promise<FeedList>
  /** The API; `isNamed`: the environment or a file names the platform, whose log is not here. */
  ask: () => Promise<{ ask: AdminRequest; isNamed: boolean }>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Unix milliseconds. */
  now: () => number
}

type Flags = { imported?: true; published?: true; json?: true }
/** A feed whose reports are in the answers, as a platform elsewhere tells it. */
type Source = { source: string | null; kind: string; entities: number; volume: number; last_report: string | null }

const MAX_SOURCES = 1_000

/**
 * Adds `feed list` to the program: the feeds that come in, with what their word weighs and whom they may address, and the lists
 * that go out. Of a platform elsewhere, what comes in is known by what it has reported.
 */
export function registerFeedList(feed: Command, context: FeedListContext): void {
  const { stdout, stderr, now } = context
  withJson(asking(feed.command('list')), LINES)
    .description('list the feeds that come in (imported or registered) and the lists that go out (published)')
    .option('--imported', 'only the feeds that come in')
    .option('--published', 'only the lists that go out')
    .action(async ({ imported, published, json }: Flags) => {
      if (imported && published) throw new UsageError('--imported cannot be combined with --published')
      const platform = await context.ask().catch(whyNot)
      const isElsewhere = !(platform instanceof Error) && platform.isNamed
      if (!published) {
        const shown = isElsewhere ? await sources(platform.ask) : await registrations(context.open)
        stdout.write(
          json ? jsonLines(shown.map((one) => ({ direction: 'imported', ...one }))) : ofImported(shown, now()),
        )
      }
      if (imported) return
      try {
        if (platform instanceof Error) throw platform
        const shown = await publishedFeeds(platform.ask)
        stdout.write(json ? jsonLines(shown.map((one) => ({ direction: 'published', ...one }))) : ofPublished(shown))
      } catch (error) {
        // What comes in is known from the log, whether or not the platform runs.
        if (published || isElsewhere) throw error
        stderr.write(`published lists are not shown: ${(error as Error).message}\n`)
      }
    })
}

/** A file that cannot be used is to be put right first; without credentials what comes in is still known. */
const whyNot = (error: Error): Error => {
  if (error instanceof UsageError) throw error
  return error
}

const registrations = async (open: FeedListContext['open']): Promise<FeedRegistration[]> => {
  const { feeds, close } = await open()
  return feeds().finally(close)
}

async function sources(ask: AdminRequest): Promise<Source[]> {
  const query = new URLSearchParams({ limit: String(MAX_SOURCES) })
  const { items } = (await ask('GET', `/api/analytics/v1/sources?${query}`)) as { items: Source[] }
  return items.filter(({ kind }) => kind === 'feed')
}

function ofImported(feeds: readonly FeedRegistration[] | readonly Source[], now: number): string {
  if (feeds.length === 0) return 'Coming in: no feeds\n'
  const [first] = feeds
  const shown =
    'trust' in first!
      ? formatFeeds(feeds as readonly FeedRegistration[], now)
      : formatSources(feeds as readonly Source[], now)
  return `Coming in:\n${shown}`
}

const ofPublished = (feeds: readonly PublishedFeed[]): string =>
  feeds.length === 0 ? 'Going out: no feeds are published\n' : `Going out:\n${formatPublished(feeds)}`

const formatFeeds = (feeds: readonly FeedRegistration[], now: number): string =>
  table(
    ['NAME', 'TRUST', 'READERS', 'REGISTERED', 'SOURCE', 'TELEMETRY OF'],
    feeds.map(({ name, trust, groups, registeredAt, owner }) => [
      ...[name, String(trust), groups.join(' '), relativeTime(registeredAt, now), feedSource(name), owner ?? '-'],
    ]),
  )

const formatSources = (all: readonly Source[], now: number): string =>
  table(
    ['SOURCE', 'ENTITIES', 'REPORTS IN 30 DAYS', 'LAST REPORT'],
    all.map(({ source, entities, volume, last_report: last }) => [
      ...[source ?? 'other feeds', String(entities), String(volume)],
      last === null ? '-' : relativeTime(Date.parse(last), now),
    ]),
  )
