import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What users start: the build where there is one (`make` makes it before the tests), else the sources (ADR 285). */
export const HARRIER = fileURLToPath(new URL('../../../bin/harrier.js', import.meta.url))

export type Ran = { code: number | null; stdout: string; stderr: string }

/** `harrier` with these arguments on a data folder, as an operator runs it beside the platform. */
export const command = (dataDir: string, ...args: string[]): Promise<Ran> =>
  commandWith({ HARRIER_DATA_DIR: dataDir }, ...args)

/** The same over the stores that the variables name. */
export const commandWith = (env: Record<string, string>, ...args: string[]): Promise<Ran> => ended(begin(env, args))

/** The same as `command`; `peakMib`: the most memory that was resident, in mebibytes. */
export async function measuredCommand(dataDir: string, ...args: string[]): Promise<Ran & { peakMib: number }> {
  const child = begin({ HARRIER_DATA_DIR: dataDir }, args)
  const end = ended(child)
  let peakMib = 0
  while (child.exitCode === null && child.signalCode === null) {
    // The system keeps the peak: only what comes in the last moment is missed.
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    await sleep(50)
  }
  return { ...(await end), peakMib }
}

const begin = (env: Record<string, string>, args: readonly string[]) =>
  spawn(process.execPath, [HARRIER, ...args], {
    env: { ...process.env, HARRIER_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function ended(child: ReturnType<typeof begin>): Promise<Ran> {
  const ran: Ran = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (ran.stdout += chunk))
  child.stderr.on('data', (chunk) => (ran.stderr += chunk))
  ran.code = await new Promise((resolve) => child.once('close', resolve))
  return ran
}
