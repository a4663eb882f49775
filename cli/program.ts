import { Command } from 'commander'
import type { Config } from '../platform/config.ts'
import { openServer } from './commands/admin/context.ts'
import { registerCustomers } from './commands/admin/customers.ts'
import { registerReconcile } from './commands/admin/reconcile.ts'
import { registerScans } from './commands/admin/scans.ts'
import { registerUsers } from './commands/admin/users.ts'
import { registerBreakers } from './commands/breakers.ts'
import { openCounts } from './commands/contexts/counts.ts'
import { openDeadLetters, operator } from './commands/contexts/dead-letters.ts'
import { openDemoContext } from './commands/contexts/demo.ts'
import { openDoctor } from './commands/contexts/doctor.ts'
import { openFeedImport } from './commands/contexts/feed-import.ts'
import { openFeedList } from './commands/contexts/feed-list.ts'
import { openFeedRetract } from './commands/contexts/feed-retract.ts'
import { openLogTools } from './commands/contexts/log-tools.ts'
import { registerCounts } from './commands/counts.ts'
import { registerDeadLetters } from './commands/dead-letters/register.ts'
import { registerDemo } from './commands/demo.ts'
import { registerDoctor } from './commands/doctor/register.ts'
import { registerFeedImport } from './commands/feed/import.ts'
import { registerFeedList } from './commands/feed/list.ts'
import { registerFeedRegistration } from './commands/feed/register.ts'
import { registerFeedRetraction } from './commands/feed/retract.ts'
import { registerLag } from './commands/lag.ts'
import { openReplay } from './commands/replay/context.ts'
import { registerReplay } from './commands/replay/register.ts'
import { openRescore } from './commands/rescore/context.ts'
import { registerRescore } from './commands/rescore/register.ts'
import { registerSqlUsers } from './commands/sql-user.ts'
import { apiRole } from './roles/api-role.ts'
import { lifecycleRole } from './roles/lifecycle.ts'
import { observe } from './roles/observe.ts'
import { scanWorker } from './roles/scan-worker.ts'
import { up } from './roles/up.ts'
import { loadCheckedConfig } from './wiring/open/folder.ts'
import { openSqlUsers } from './wiring/open/sql-users.ts'
import { version } from './wiring/process/version.ts'

/** The parts of the process that the commands use. */
export type HarrierProcess = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'> & {
  /** Aborted when whoever asked does not want the answer any more. */
  signal: AbortSignal
}

/** Roles that run until they are stopped, each in its own process. */
function registerRoles(program: Command, env: NodeJS.ProcessEnv): void {
  const role = (name: string, description: string, run: (config: Config) => Promise<void>) =>
    program
      .command(name, { isDefault: name === 'up' })
      .description(description)
      .action(() => run(loadCheckedConfig(env)))

  role(
    'up',
    'start the whole platform in the foreground: API, jobs, and the embedded store for everything without a configured server',
    up,
  )
  role('api', 'run only the API, with external stores', apiRole)
  role('observe', 'run only the jobs that write history and entities from the log', observe)
  role('scan-worker', 'run only the scan workers, with an external database', scanWorker)
  role('lifecycle', 'run only the handlers of account events (offboarding, changed subscriptions)', lifecycleRole)
}

/** The command line with all commands; each command has its own file. */
export function harrier({ env, stdin, stdout, stderr, signal }: HarrierProcess): Command {
  const program = new Command('harrier').description('Open threat-intelligence platform').version(version)
  registerRoles(program, env)

  registerCounts(program, () => openCounts(loadCheckedConfig(env)), stdout)
  registerRescore(program, () => openRescore(loadCheckedConfig(env)), { stdout, signal })
  registerReplay(program, () => openReplay(loadCheckedConfig(env)), { out: stdout, now: Date.now, signal })
  const feed = program.command('feed').description('import and register feeds of indicators')
  const openFeeds = () => openFeedImport(loadCheckedConfig(env))
  registerFeedRegistration(feed, openFeeds, Date.now)
  registerFeedList(feed, () => openFeedList(loadCheckedConfig(env)), stdout)
  registerFeedImport(feed, openFeeds, { stdin, stdout, stderr, now: Date.now, signal })
  registerFeedRetraction(feed, () => openFeedRetract(loadCheckedConfig(env)), { stdout, stderr, now: Date.now, signal })
  registerDemo(program, () => openDemoContext(loadCheckedConfig(env)), { stdout, stderr, signal })
  const by = operator()
  registerDeadLetters(program, {
    open: () => openDeadLetters(loadCheckedConfig(env)),
    stdin,
    stdout,
    by,
    now: Date.now,
  })

  const openTools = () => openLogTools(loadCheckedConfig(env))
  registerBreakers(program, { open: openTools, stdout, by, now: Date.now })
  registerLag(program, { open: openTools, stdout, now: Date.now, signal })

  registerDoctor(program, { open: (options) => openDoctor(loadCheckedConfig(env), options), stdout })

  registerSqlUsers(program, () => openSqlUsers(loadCheckedConfig(env)), stdout)

  const server = { open: () => openServer(loadCheckedConfig(env)), stdout }
  registerUsers(program, server)
  registerCustomers(program, server)
  registerScans(program, server)
  registerReconcile(program, server)
  return program
}
