import { join } from 'node:path'
import { ASK_MS, HERE, versionOf } from '../once.ts'
import { interpreterOf } from '../prepare.ts'
import { run } from '../run.ts'

const MAX_ANSWER_BYTES = 2 ** 28

export type TaxiiClient = <Answer>(
  command: string,
  url: string,
  pair: readonly [user: string, password: string],
  ...args: readonly string[]
) => Promise<Answer>

/** Runs the TAXII client of OASIS; resolves to what it found. @throws Error without Python or a way to its packages */
export async function taxiiClient(): Promise<TaxiiClient> {
  const requirements = 'exchange/client-requirements.txt'
  const interpreter = await interpreterOf(
    requirements,
    `taxii-client-python-${versionOf(requirements, /client==(\S+)/)}`,
  )
  return async (command, url, pair, ...args) => {
    const given = [join(HERE, 'exchange/client.py'), command, url, ...pair, ...args]
    const { stdout } = await run(interpreter, given, { timeout: ASK_MS, maxBuffer: MAX_ANSWER_BYTES })
    return JSON.parse(stdout)
  }
}
