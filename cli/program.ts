import { Command } from 'commander'
import type { Config } from '../platform/config.ts'
import { COMMAND_GROUPS, type HarrierProcess } from './command-groups.ts'
import { showExamples } from './help/examples.ts'
import { openers } from './openers.ts'
import { loadCheckedConfig } from './wiring/open/folder.ts'
import { version } from './wiring/process/version.ts'

/** Roles run until they are stopped, each in its own process. */
function registerRoles(program: Command, env: NodeJS.ProcessEnv): void {
  const role = (name: string, description: string, run: (config: Config) => Promise<void>) =>
    program
      .command(name)
      .description(description)
      .action(() => run(loadCheckedConfig(env)))

  role(
    'up',
    'start the whole platform in the foreground: API, jobs, and the embedded store for everything without a configured server; `harrier` without a command does the same',
    async (config) => (await import('./roles/up.ts')).up(config),
  )
  role('api', 'run only the API, with external stores', async (config) =>
    (await import('./roles/api-role.ts')).apiRole(config),
  )
  role('observe', 'run only the jobs that write history and entities from the log', async (config) =>
    (await import('./roles/observe.ts')).observe(config),
  )
  role(
    'follow',
    'run only the jobs that follow the changes of entities: lists of feeds, alerts and their deliveries',
    async (config) => (await import('./roles/follow.ts')).follow(config),
  )
  role('scan-worker', 'run only the scan workers, with an external database', async (config) =>
    (await import('./roles/scan-worker.ts')).scanWorker(config),
  )
  role('lifecycle', 'run only the handlers of account events (offboarding, changed subscriptions)', async (config) =>
    (await import('./roles/lifecycle.ts')).lifecycleRole(config),
  )
}

/**
 * The command line. A process that runs one command loads the modules of that command alone: all of them are three
 * thousand, half a second of every start (ADR 281).
 * @param name the first word of the command that will run; without one, or with an unknown one, all commands are there
 */
export async function harrier(process: HarrierProcess, name?: string): Promise<Command> {
  const program = new Command('harrier')
    .description('Open threat-intelligence platform')
    .version(version)
    // Errors reach the caller, which ends the process: what is open is closed first.
    .exitOverride()
    .configureOutput({ outputError })
  registerRoles(program, process.env)
  // Says one line that is known already.
  if (name === '--version' || name === '-V') return program
  if (!program.commands.some((role) => role.name() === name)) {
    const open = openers(process.env)
    const named = COMMAND_GROUPS.filter(({ names }) => names.some((known) => known === name))
    const whole = () => harrier(process)
    for (const group of named.length > 0 ? named : COMMAND_GROUPS) await group.register(program, open, process, whole)
  }
  showExamples(program)
  return program
}

/** The parser adds what was probably meant, where a command has a name like it. */
function outputError(text: string, write: (text: string) => void): void {
  const said = text.replace(/^error: /, '')
  const isUnknown = said.startsWith('unknown command')
  write(`harrier: ${said}${isUnknown ? 'harrier --help lists the commands\n' : ''}`)
}
