import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePair } from './broker.ts'

const SCRIPT = fileURLToPath(new URL('../../../../infra/dev/postgres.sh', import.meta.url))

export type OwnPostgres = {
  url: string
  /**
   * Resolves when it answers again. `restart`: every process of it ends at once; `crash`: the first one is killed and
   * those of the connections notice by themselves.
   */
  again(how: 'restart' | 'crash'): Promise<void>
  remove(): void
}

/** A PostgreSQL of its own, as `infra/dev/postgres.sh` starts it. */
export async function startPostgres(): Promise<OwnPostgres> {
  const port = String(await freePair())
  const script = (command: string): string =>
    execFileSync(SCRIPT, [command, port], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const url = /DATABASE_URL=(\S+)/.exec(script('start'))?.[1]
  if (url === undefined) throw new Error(`${SCRIPT} did not start a PostgreSQL`)
  // A run that is broken off leaves no server behind.
  const remove = (): void => void script('stop')
  process.once('exit', remove)
  return {
    url,
    async again(how) {
      await promisify(execFile)(SCRIPT, [how, port])
    },
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}
