import type { Command } from 'commander'
import type { openers } from './openers.ts'
import { operator } from './wiring/process/operator.ts'

/** The parts of the process that the commands use. */
export type HarrierProcess = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'> & {
  /** Aborted when the caller does not need the result any more. */
  signal: AbortSignal
}

type Open = ReturnType<typeof openers>

/** Commands that are declared together. Their modules are loaded when they are. */
export type CommandGroup = {
  /** The first words of its commands. */
  names: readonly string[]
  register(program: Command, open: Open, process: HarrierProcess): Promise<void>
}

const now = Date.now

/** All commands but the roles, in the order of the help text. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    names: ['counts'],
    register: async (program, open, { stdout }) =>
      (await import('./commands/counts.ts')).registerCounts(program, open.counts, stdout),
  },
  {
    names: ['rescore'],
    register: async (program, open, { stdout, signal }) =>
      (await import('./commands/rescore/register.ts')).registerRescore(program, open.rescore, { stdout, signal }),
  },
  {
    names: ['replay'],
    register: async (program, open, { stdout: out, signal }) =>
      (await import('./commands/replay/register.ts')).registerReplay(program, open.replay, { out, now, signal }),
  },
  { names: ['feed'], register: registerFeeds },
  {
    names: ['export'],
    async register(program, { downloads: open, chosen: openChosen }, { stdout, stderr, signal }) {
      const { registerExports } = await import('./commands/export/register.ts')
      registerExports(program, { open, openChosen, stdout, stderr, signal, now })
    },
  },
  {
    names: ['match'],
    register: async (program, { platform: open }, { stdin, stdout, stderr, signal }) =>
      (await import('./commands/match/register.ts')).registerMatch(program, { open, stdin, stdout, stderr, signal }),
  },
  {
    names: ['demo'],
    register: async (program, open, { stdout, stderr, signal }) =>
      (await import('./commands/demo.ts')).registerDemo(program, open.demo, { stdout, stderr, signal }),
  },
  {
    names: ['dead-letters'],
    async register(program, { deadLetters: open }, { stdin, stdout }) {
      const { registerDeadLetters } = await import('./commands/dead-letters/register.ts')
      registerDeadLetters(program, { open, stdin, stdout, by: operator(), now })
    },
  },
  {
    names: ['breaker'],
    register: async (program, { logTools: open }, { stdout }) =>
      (await import('./commands/breakers.ts')).registerBreakers(program, { open, stdout, by: operator(), now }),
  },
  {
    names: ['topics', 'lag'],
    register: async (program, { logTools: open }, { stdout, signal }) =>
      (await import('./commands/lag.ts')).registerLag(program, { open, stdout, now, signal }),
  },
  {
    names: ['doctor'],
    register: async (program, { doctor: open }, { stdout }) =>
      (await import('./commands/doctor/register.ts')).registerDoctor(program, { open, stdout }),
  },
  {
    names: ['sql-user'],
    register: async (program, open, { stdout }) =>
      (await import('./commands/admin/sql-user.ts')).registerSqlUsers(program, open.sqlUsers, stdout),
  },
  {
    names: ['user', 'keypair'],
    register: async (program, { server: open }, { stdout }) =>
      (await import('./commands/admin/users.ts')).registerUsers(program, { open, stdout }),
  },
  {
    names: ['customer'],
    register: async (program, { server: open }, { stdout }) =>
      (await import('./commands/admin/customers.ts')).registerCustomers(program, { open, stdout }),
  },
  {
    names: ['scan'],
    register: async (program, { server: open }, { stdout }) =>
      (await import('./commands/admin/scans.ts')).registerScans(program, { open, stdout }),
  },
  {
    names: ['reconcile'],
    register: async (program, { server: open }, { stdout }) =>
      (await import('./commands/admin/reconcile.ts')).registerReconcile(program, { open, stdout }),
  },
]

async function registerFeeds(program: Command, open: Open, process: HarrierProcess): Promise<void> {
  const { stdin, stdout, stderr, signal } = process
  const [
    { registerFeedImport },
    { registerFeedList },
    { registerFeedRegistration },
    { registerFeedRetraction },
    { registerPublishing },
    { registerDownloads },
    { registerFeedVerify },
  ] = await Promise.all([
    import('./commands/feed/import.ts'),
    import('./commands/feed/list.ts'),
    import('./commands/feed/register.ts'),
    import('./commands/feed/retract.ts'),
    import('./commands/feed/publish.ts'),
    import('./commands/feed/download.ts'),
    import('./commands/feed/verify.ts'),
  ])
  const feed = program.command('feed').description('import feeds of indicators, and publish lists of what is known')
  registerFeedRegistration(feed, open.feedImport, now)
  registerFeedList(feed, open.feedList, stdout)
  registerFeedImport(feed, open.feedImport, { stdin, stdout, stderr, now, signal })
  registerFeedRetraction(feed, open.feedRetract, { stdout, stderr, now, signal })
  registerPublishing(feed, { open: open.server, stdout, stderr })
  registerFeedVerify(feed, open.feedVerify, { stdout, now, signal })
  registerDownloads(feed, { open: open.downloads, stdout, stderr, signal })
}
