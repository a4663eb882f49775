import { spawn } from 'node:child_process'

/** Programs of devices and servers, as they are installed on this machine. */

const TIMEOUT_MS = 60_000
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

/** Runs a line of the shell in a network of its own, as its root: nothing reaches the network of this machine. */
export const inOwnNetwork = (line: string): Promise<Ended> =>
  ended('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', line])
