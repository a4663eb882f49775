import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASK_MS, HERE } from './once.ts'
import { interpreterOf } from './prepare.ts'
import { run } from './run.ts'

const REQUIREMENTS = 'exchange/requirements.txt'

/**
 * Runs a program of `exchange/`; resolves to what it printed, read as JSON.
 * @throws Error without Python or a way to its packages
 */
export async function exchangeClient(script: string): Promise<(...args: string[]) => Promise<unknown>> {
  const version = hash('sha256', readFileSync(join(HERE, REQUIREMENTS)), 'hex').slice(0, 12)
  const interpreter = await interpreterOf(REQUIREMENTS, `exchange-python-${version}`)
  return async (...args) => {
    const { stdout } = await run(interpreter, [join(HERE, 'exchange', script), ...args], { timeout: ASK_MS })
    return JSON.parse(stdout)
  }
}
