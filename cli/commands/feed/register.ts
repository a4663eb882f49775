import type { Command } from 'commander'
import { type FeedRegistration, feedFault } from '../../../schemas/intelligence/observations/feed.ts'
import { FEEDS } from '../../../schemas/log/topics.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, withJson } from '../output.ts'
import { weight } from '../values/values.ts'
import type { FeedImportContext } from './import-context.ts'

type Json = { json?: true }
type Flags = Json & { trust: number; visibleBy: string[]; owner?: string }

const collect = (value: string, all: string[]): string[] => [...all, value]

/**
 * Adds `feed register` and `feed unregister` to the program: which producers may write to `entity.submissions`, what
 * their word weighs and whom they may address, and whose telemetry they may write. A change acts on what is expanded after it.
 */
export function registerFeedRegistration(
  feed: Command,
  open: () => Promise<FeedImportContext>,
  now: () => number,
  stdout: { write(text: string): unknown },
): void {
  withJson(feed.command('register <name>'))
    .description('allow a broker producer to write submissions, or telemetry of an owner, under this name')
    .requiredOption('--trust <weight>', 'weight of the claims, above 0, at most 1', weight)
    .option(
      '--visible-by <group>',
      'group that its observations may name; default: public; may be repeated',
      collect,
      [],
    )
    .option(
      '--owner <owner>',
      'customer:<UUID> or user:<UUID>: owner of the telemetry that it writes to telemetry.events',
    )
    .action(async (name: string, flags: Flags) => {
      const groups = flags.visibleBy.length === 0 ? ['public'] : [...new Set(flags.visibleBy)].sort()
      const { trust, owner = null } = flags
      const registration: FeedRegistration = { name, trust, groups, registeredAt: now(), owner }
      const fault = feedFault(registration)
      if (fault !== null) throw new UsageError(fault)
      await sendRegistration(open, name, registration)
      stdout.write(flags.json ? document(registration) : `registered ${name}\n`)
    })
  withJson(feed.command('unregister <name>'))
    .description('remove a registration; later records of the producer become dead letters')
    .action(async (name: string, { json }: Json) => {
      await sendRegistration(open, name, null)
      stdout.write(json ? document({ unregistered: name }) : `unregistered ${name}\n`)
    })
}

async function sendRegistration(
  open: () => Promise<FeedImportContext>,
  name: string,
  registration: FeedRegistration | null,
) {
  const { log, encodeFeed, close } = await open()
  try {
    const value = registration === null ? null : encodeFeed(registration)
    await log.send([{ topic: FEEDS, messages: [{ key: name, value }] }])
  } finally {
    await close()
  }
}
