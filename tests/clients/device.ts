import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Programs of devices and servers, as they are installed on this machine. */

const TIMEOUT_MS = 60_000
/** Between two looks at a server that starts, and how many of them there are. */
const STARTING_MS = 20
const ATTEMPTS = 500
/** Programs for administrators are not in the path of everybody. */
const ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

export type Ended = { ok: boolean; out: string }

/** Runs a program to its end, without a shell. `out` has all that it printed. */
export const ended = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, env: ENV })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece))
    child.once('error', reject)
    child.once('close', (code) => resolve({ ok: code === 0, out: Buffer.concat(pieces).toString() }))
  })

/**
 * What `ask` makes of a server that runs meanwhile, once what it printed matches `ready`; it is ended after that.
 * @throws Error for a program that is not there or is not ready within seconds, with what it printed
 */
export async function whileRunning<T>(
  program: string,
  args: readonly string[],
  ready: RegExp,
  ask: (printed: string) => Promise<T>,
): Promise<T> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, env: ENV })
  await once(child, 'spawn')
  const closed = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  try {
    for (let i = 0; !ready.test(printed); i++) {
      if (i === ATTEMPTS || child.exitCode !== null) throw new Error(`${program} is not ready: ${printed.slice(-1000)}`)
      await sleep(STARTING_MS)
    }
    return await ask(printed)
  } finally {
    child.kill()
    await closed
  }
}

/** Runs a line of the shell in a network of its own, as its root: nothing reaches the network of this machine. */
export const inOwnNetwork = (line: string): Promise<Ended> =>
  ended('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', line])
