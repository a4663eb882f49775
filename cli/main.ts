import { CommanderError } from 'commander'
import { harrier } from './program.ts'
import { endWithOutput, outputWritten } from './wiring/interruption/broken-output.ts'
import { Interrupted, interruptedText } from './wiring/interruption/interrupted.ts'
import { typed } from './wiring/interruption/typed.ts'
import { UsageError } from './wiring/process/usage.ts'

const MISUSED = 2

// What any role or command makes, and what its children make, is for this user alone.
process.umask(0o077)
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const { env, stdin, stdout, stderr } = process
// Without a word it starts the platform. A word that is no command is then refused by name, and not given to `up`.
const words = process.argv.length > 2 ? process.argv.slice(2) : ['up']
endWithOutput({ stdout, stderr }, (exitCode) => process.exit(exitCode))
// Printed by ourselves: an exit within a write of the embedded log ends before Node would print it.
process.on('uncaughtException', ({ stack }) => {
  stderr.write(`harrier: ${stack}\n`)
  process.exit(1)
})

try {
  const program = await harrier({ env, stdin, stdout, stderr, signal: stop.signal }, words[0])
  await program.parseAsync(words, { from: 'user' })
  await outputWritten()
  process.exit(0)
} catch (thrown) {
  await outputWritten()
  const error = afterSignal(thrown)
  // The parser has printed its own.
  if (!(error instanceof CommanderError)) stderr.write(`harrier: ${said(error as Error)}\n`)
  process.exit(exitCodeOf(error))
}

/** What a command threw because it was interrupted, and did not put in words itself. */
function afterSignal(error: unknown): unknown {
  if (!stop.signal.aborted || error instanceof CommanderError || error instanceof UsageError) return error
  if (error instanceof Interrupted) return error
  const { name, message } = error as Error
  return new Interrupted(name === 'AbortError' ? 'the command had not ended' : message, null, { cause: error })
}

/** The message has what an operator can act on; the stack is printed only on request. */
function said(error: Error): string {
  if (error instanceof Interrupted) return interruptedText(error, typed(words, env))
  return env.HARRIER_LOG_LEVEL === 'debug' ? String(error.stack) : error.message
}

/** 2 when the command line was not used as it has to be, 130 when interrupted, else what `command.error` says, else 1. */
function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof Interrupted) return error.exitCode
  if (!(error instanceof CommanderError)) return 1
  return error.exitCode === 0 || error.code === 'commander.error' ? error.exitCode : MISUSED
}
