import { Command } from 'commander'
import { loadConfig } from '../schemas/config.ts'
import { openServer } from './admin/context.ts'
import { registerCustomers } from './admin/customers.ts'
import { registerUsers } from './admin/users.ts'
import { apiRole } from './api-role.ts'
import { registerCounts } from './counts.ts'
import { registerDeadLetters } from './dead-letters.ts'
import { registerFeedImport } from './feed-import.ts'
import { registerFeedRegistration } from './feed-register.ts'
import { observe } from './observe.ts'
import { openCounts } from './open/counts.ts'
import { openFeedImport } from './open/feed-import.ts'
import { up } from './up.ts'

const program = new Command('harrier').description('Open threat-intelligence platform')

program
  .command('up', { isDefault: true })
  .description(
    'start the platform in the foreground: the API, the jobs and every embedded default that is not replaced',
  )
  .action(() => up(loadConfig(process.env)))

program
  .command('api')
  .description('run the API alone, over stores that are elsewhere')
  .action(() => apiRole(loadConfig(process.env)))

program
  .command('observe')
  .description('run the jobs that turn the log into history, alone')
  .action(() => observe(loadConfig(process.env)))

registerCounts(program, () => openCounts(loadConfig(process.env)), process.stdout)

const asked = new AbortController()
process.once('SIGINT', () => asked.abort())
const feed = program.command('feed').description('feeds of indicators')
const openFeeds = () => openFeedImport(loadConfig(process.env))
registerFeedRegistration(feed, openFeeds, Date.now)
registerFeedImport(feed, openFeeds, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  signal: asked.signal,
})
registerDeadLetters(program, openFeeds, (line) => process.stdout.write(line))

const server = { open: () => openServer(loadConfig(process.env)), stdout: process.stdout }
registerUsers(program, server)
registerCustomers(program, server)

try {
  await program.parseAsync()
  process.exit(0)
} catch (error) {
  // What an operator can act on is in the message; a stack only when it was asked for.
  const { message, stack } = error as Error
  process.stderr.write(`harrier: ${process.env.HARRIER_LOG_LEVEL === 'debug' ? stack : message}\n`)
  process.exit(1)
}
