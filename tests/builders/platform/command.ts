import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))

export type Ran = { code: number | null; stdout: string; stderr: string }

/** `harrier` with these arguments on a data folder, as an operator runs it beside the platform. */
export const command = (dataDir: string, ...args: string[]): Promise<Ran> =>
  commandWith({ HARRIER_DATA_DIR: dataDir }, ...args)

/** The same over the stores that the variables name. */
export async function commandWith(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, HARRIER_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ran: Ran = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (ran.stdout += chunk))
  child.stderr.on('data', (chunk) => (ran.stderr += chunk))
  ran.code = await new Promise((resolve) => child.once('close', resolve))
  return ran
}
