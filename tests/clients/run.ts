import { type ChildProcess, type ExecFileOptions, execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

type Ended = { stdout: string; stderr: string }

/**
 * Runs a program to its end; `child` is its process.
 * @throws Error when it fails, with what it printed as an error. A time limit that ended it is named: Node does not say so
 */
export function run(
  program: string,
  args: readonly string[],
  options: ExecFileOptions & { timeout: number },
): Promise<Ended> & { child: ChildProcess } {
  const running = execute(program, args, { ...options, encoding: 'utf8' })
  const ended = running.catch((error: Error & { killed?: boolean }) => {
    if (error.killed) error.message += `\nit was ended after ${options.timeout} ms`
    throw error
  })
  return Object.assign(ended, { child: running.child })
}
