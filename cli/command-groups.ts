import type { Command } from 'commander'
import type { openers } from './openers.ts'
import { HELP } from './wiring/built-pages.ts'
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
  /** @param whole makes the program with all commands */
  register(program: Command, open: Open, process: HarrierProcess, whole: () => Promise<Command>): Promise<void>
}

const now = Date.now

/** Commands that ask a running platform. */
const beside = (open: Open, { stdout, stderr }: HarrierProcess) => ({ open: open.server, stdout, stderr, now })

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
    register: async (program, open, { stdout: out, stderr, signal }) =>
      (await import('./commands/replay/register.ts')).registerReplay(program, open.replay, {
        out,
        stderr,
        now,
        signal,
      }),
  },
  { names: ['feed'], register: registerFeeds },
  {
    names: ['edge'],
    register: async (program, { platform: open, url }, { stdout, stderr, signal }) =>
      (await import('./commands/edge/register.ts')).registerEdge(program, { open, url, stdout, stderr, signal }),
  },
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
    names: ['lookup'],
    register: async (program, { server: open }, { stdin, stdout, stderr, signal }) =>
      (await import('./commands/lookup/register.ts')).registerLookup(program, { open, stdin, stdout, stderr, signal }),
  },
  {
    names: ['lookup-index'],
    register: async (program, { lookupIndex: open }, { stdout, signal }) =>
      (await import('./commands/lookup/index-commands.ts')).registerLookupIndex(program, { open, stdout, signal }),
  },
  {
    names: ['demo'],
    register: async (program, open, { stdout, stderr, signal }) =>
      (await import('./commands/demo.ts')).registerDemo(program, open.demo, { stdout, stderr, signal }),
  },
  {
    names: ['dead-letters'],
    async register(program, { deadLetters: open }, { stdin, stdout, stderr }) {
      const { registerDeadLetters } = await import('./commands/dead-letters/register.ts')
      registerDeadLetters(program, { open, stdin, stdout, stderr, by: operator(), now })
    },
  },
  {
    names: ['breaker'],
    register: async (program, { logTools: open }, { stdout }) =>
      (await import('./commands/dead-letters/breakers.ts')).registerBreakers(program, {
        open,
        stdout,
        by: operator(),
        now,
      }),
  },
  {
    names: ['topics', 'lag'],
    register: async (program, { logTools: open }, { stdout, signal }) =>
      (await import('./commands/lag.ts')).registerLag(program, { open, stdout, now, signal }),
  },
  {
    names: ['audit'],
    register: async (program, { audit: open }, { stdout, signal }) =>
      (await import('./commands/audit/register.ts')).registerAudit(program, { open, stdout, now, signal }),
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
    names: ['guide'],
    register: async (program, _open, { stdout }) =>
      (await import('./help/guide.ts')).registerGuide(program, HELP, stdout),
  },
  {
    names: ['init'],
    register: async (program, { init: open }, { stdout, stderr }) =>
      (await import('./commands/admin/init.ts')).registerInit(program, { open, stdout, stderr }),
  },
  {
    names: ['user', 'keypair'],
    register: async (program, open, process) =>
      (await import('./commands/admin/users.ts')).registerUsers(program, beside(open, process)),
  },
  {
    names: ['customer'],
    register: async (program, open, process) =>
      (await import('./commands/admin/customers.ts')).registerCustomers(program, beside(open, process)),
  },
  {
    names: ['scan'],
    register: async (program, open, process) =>
      (await import('./commands/admin/scans.ts')).registerScans(program, beside(open, process)),
  },
  {
    names: ['reconcile'],
    register: async (program, open, process) =>
      (await import('./commands/admin/reconcile.ts')).registerReconcile(program, beside(open, process)),
  },
  {
    names: ['completion'],
    register: async (program, _open, { stdout }, whole) =>
      (await import('./completion/register.ts')).registerCompletion(program, whole, stdout),
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
    import('./commands/feed/verify-feed.ts'),
  ])
  const feed = program.command('feed').description('import feeds of indicators, and publish lists of entities')
  registerFeedRegistration(feed, open.feedImport, now, stdout)
  registerFeedList(feed, { open: open.feedList, ask: open.asked, stdout, stderr, now })
  registerFeedImport(feed, open.feedImport, { stdin, stdout, stderr, now, signal }, open.feedRetract)
  registerFeedRetraction(feed, open.feedRetract, { stdout, stderr, now, signal })
  registerPublishing(feed, beside(open, process))
  registerFeedVerify(feed, open.feedVerify, { stdout, now, signal })
  registerDownloads(feed, { open: open.downloads, stdout, stderr, signal, now })
}
