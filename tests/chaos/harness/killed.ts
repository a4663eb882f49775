/** Commands of an operator that are killed inside of what they do, and started again until they have done it. */

import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { History } from '../../../connectors/history/port.ts'
import { HARRIER } from '../../builders/platform/command.ts'
import type { FaultPoint, Interposed } from './interposed.ts'

/** A hold on the jobs outlives its holder by 30 s, and the jobs wait 5 s more. */
const BUSY_MS = 60_000
const AGAIN_MS = 2_000

export type Ended = { code: number | null; printed: string; killed: boolean; seen: Map<string, number> }

export type Commands = {
  /** Runs a command to its end, or to `place`. */
  run(args: readonly string[], place?: FaultPoint): Promise<Ended>
  /** The same without a kill, again while somebody that died holds the jobs. @throws Error when it fails */
  finish(args: readonly string[]): Promise<Ended>
}

/** Commands of the platform on `dataDir` that reach the history store by way of `between`. */
export function commandsOf(dataDir: string, env: Record<string, string>, between: Interposed): Commands {
  const run: Commands['run'] = async (args, place) => {
    const child = spawn(process.execPath, [HARRIER, ...args], {
      env: { ...process.env, ...env, HARRIER_DATA_DIR: dataDir, CLICKHOUSE_URL: between.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = (): void => void child.kill('SIGKILL')
    process.once('exit', end)
    let killed = false
    between.arm(place ?? { name: '', moment: 'before', nth: 0 }, () => {
      killed = true
      end()
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    process.off('exit', end)
    return { code, printed, killed, seen: between.disarm() }
  }
  return {
    run,
    async finish(args) {
      for (const until = performance.now() + BUSY_MS; ; await sleep(AGAIN_MS)) {
        const ended = await run(args)
        if (ended.code === 0) return ended
        if (!/another command has paused the jobs/.test(ended.printed) || performance.now() > until)
          throw new Error(`harrier ${args.join(' ')} ended with ${ended.code}: ${ended.printed}`)
      }
    },
  }
}

const COLUMNS = 'live, %, holder, rules, applied, note, at, rules_before, rules_since'
const END_HOLD = `INSERT INTO generations (n, ${COLUMNS.replace('%', 'held_until')})
  SELECT n + 1, ${COLUMNS.replace('%', 'now64(3)')} FROM (SELECT * FROM generations ORDER BY n DESC LIMIT 1)
  WHERE held_until > now64(3)`

/**
 * What the half minute of a hold does whose command died: it is over now. The jobs wait their five seconds more, in which
 * the last statement of the command ends.
 */
export const endHold = (history: Pick<History, 'command'>): Promise<void> => history.command(END_HOLD)
