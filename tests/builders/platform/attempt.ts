import { spawn } from 'node:child_process'
import { HARRIER } from './command.ts'

const PATIENCE_MS = 60_000

/**
 * A start that is expected to end by itself: with what, saying what, after how many milliseconds.
 * @param args another role or command than `up`
 * @param under a program that runs it, with its arguments
 */
export async function attempt(env: Record<string, string>, args = ['up'], under: readonly string[] = []) {
  const began = performance.now()
  const [program, ...rest] = [...under, process.execPath, HARRIER, ...args]
  const child = spawn(program!, rest, {
    env: { ...process.env, PORT: '0', HARRIER_SQL_PORT: '0', HARRIER_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearTimeout(late)
  return { code, printed, took: performance.now() - began }
}
