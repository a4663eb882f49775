import { CommanderError } from 'commander'
import { harrier } from './program.ts'
import { UsageError } from './wiring/process/usage.ts'

const MISUSED = 2

// What any role or command makes, and what its children make, is for this user alone.
process.umask(0o077)
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const { argv, env, stdin, stdout, stderr } = process
// Printed by ourselves: an exit within a write of the embedded log ends before Node would print it.
process.on('uncaughtException', ({ stack }) => {
  stderr.write(`harrier: ${stack}\n`)
  process.exit(1)
})

try {
  const program = await harrier({ env, stdin, stdout, stderr, signal: stop.signal }, argv[2])
  await program.parseAsync()
  process.exit(0)
} catch (error) {
  // The message has what an operator can act on; the stack is printed only on request. The parser has printed its own.
  const { message, stack } = error as Error
  if (!(error instanceof CommanderError))
    stderr.write(`harrier: ${env.HARRIER_LOG_LEVEL === 'debug' ? stack : message}\n`)
  process.exit(exitCodeOf(error))
}

/** 2 when the command line was not used as it has to be, else what the command says by `command.error`, else 1. */
function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return error.exitCode
  if (!(error instanceof CommanderError)) return 1
  return error.exitCode === 0 || error.code === 'commander.error' ? error.exitCode : MISUSED
}
