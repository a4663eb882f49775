import { Command } from 'commander'
import type { Config } from '../schemas/config.ts'
import { openServer } from './admin/context.ts'
import { registerCustomers } from './admin/customers.ts'
import { registerReconcile } from './admin/reconcile.ts'
import { registerScans } from './admin/scans.ts'
import { registerUsers } from './admin/users.ts'
import { apiRole } from './api-role.ts'
import { registerBreakers } from './breakers.ts'
import { registerCounts } from './counts.ts'
import { registerDeadLetters } from './dead-letters/register.ts'
import { registerDemo } from './demo.ts'
import { registerDoctor } from './doctor/register.ts'
import { registerFeedImport } from './feed-import.ts'
import { registerFeedList } from './feed-list.ts'
import { registerFeedRegistration } from './feed-register.ts'
import { registerFeedRetraction } from './feed-retract.ts'
import { lifecycleRole } from './lifecycle.ts'
import { observe } from './observe.ts'
import { openCounts } from './open/counts.ts'
import { openDeadLetters, operator } from './open/dead-letters.ts'
import { openDemoContext } from './open/demo.ts'
import { openDoctor } from './open/doctor.ts'
import { openFeedImport } from './open/feed-import.ts'
import { openFeedList } from './open/feed-list.ts'
import { openFeedRetract } from './open/feed-retract.ts'
import { configured } from './open/folder.ts'
import { openLogTools } from './open/log-tools.ts'
import { openSqlUsers } from './open/sql-users.ts'
import { openReplay } from './replay/context.ts'
import { registerReplay } from './replay.ts'
import { openRescore } from './rescore/context.ts'
import { registerRescore } from './rescore.ts'
import { scanWorker } from './scan-worker.ts'
import { registerSqlUsers } from './sql-user.ts'
import { registerStanding } from './standing.ts'
import { up } from './up.ts'
import { version } from './version.ts'

/** The parts of the process that the commands use. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'> & {
  /** Aborted when whoever asked does not want the answer any more. */
  signal: AbortSignal
}

/** Roles that run until they are stopped, each in its own process. */
function registerRoles(program: Command, env: NodeJS.ProcessEnv): void {
  const role = (name: string, description: string, run: (config: Config) => Promise<void>) =>
    program
      .command(name, { isDefault: name === 'up' })
      .description(description)
      .action(() => run(configured(env)))

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
export function harrier({ env, stdin, stdout, stderr, signal }: Surroundings): Command {
  const program = new Command('harrier').description('Open threat-intelligence platform').version(version)
  registerRoles(program, env)

  registerCounts(program, () => openCounts(configured(env)), stdout)
  registerRescore(program, () => openRescore(configured(env)), { stdout, signal })
  registerReplay(program, () => openReplay(configured(env)), { out: stdout, now: Date.now, signal })
  const feed = program.command('feed').description('import and register feeds of indicators')
  const openFeeds = () => openFeedImport(configured(env))
  registerFeedRegistration(feed, openFeeds, Date.now)
  registerFeedList(feed, () => openFeedList(configured(env)), stdout)
  registerFeedImport(feed, openFeeds, { stdin, stdout, stderr, now: Date.now, signal })
  registerFeedRetraction(feed, () => openFeedRetract(configured(env)), { stdout, stderr, now: Date.now, signal })
  registerDemo(program, () => openDemoContext(configured(env)), { stdout, stderr, signal })
  const by = operator()
  registerDeadLetters(program, { open: () => openDeadLetters(configured(env)), stdin, stdout, by, now: Date.now })

  const openTools = () => openLogTools(configured(env))
  registerBreakers(program, { open: openTools, stdout, by, now: Date.now })
  registerStanding(program, { open: openTools, stdout, now: Date.now, signal })

  registerDoctor(program, { open: (options) => openDoctor(configured(env), options), stdout })

  registerSqlUsers(program, () => openSqlUsers(configured(env)), stdout)

  const server = { open: () => openServer(configured(env)), stdout }
  registerUsers(program, server)
  registerCustomers(program, server)
  registerScans(program, server)
  registerReconcile(program, server)
  return program
}
