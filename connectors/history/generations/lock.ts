import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'
import type { History } from '../port.ts'
import type { JobLock } from './port.ts'

/** A lock ends this long after its last renewal, so that a command that died releases the jobs. */
const LOCK_MS = 30_000
const RENEW_MS = 5_000
/**
 * Jobs wait this much longer than the lock lasts: they must not continue while the last statement of the lock's
 * holder still runs.
 */
export const GRACE_MS = 5_000
/** No statement about the pointer may take longer than the grace period. */
export const SHORT = 'max_execution_time = 3'
const TABLE_EXISTS = '57'
const BUSY = 'another command has paused the jobs; retry when that command has ended'

/** The newest row of the table `generations`. */
export type Pointer = {
  n: string
  live: string
  held: boolean
  holder: string
  rules: string
  applied: string[]
  /** Missing in a table that an older release made (ADR 271). */
  rules_before?: string
  rules_since?: string[]
}

export const NEWEST = 'SELECT * FROM generations ORDER BY n DESC LIMIT 1'

const UNTIL = `now64(3) + INTERVAL ${LOCK_MS} MILLISECOND`
const CLAIMED = 'n = {n:UInt64}'
const MINE = 'holder = {holder:String} AND held_until > now64(3)'

/** Appends a row after the newest one if the newest one is the expected one. One statement both decides and writes. */
type Next = Record<'live' | 'until' | 'holder' | 'rules' | 'applied' | 'note' | 'before' | 'since', string>
const follow = (row: Next, expected: string) =>
  `INSERT INTO generations (n, live, held_until, holder, rules, applied, note, at, rules_before, rules_since)
  SELECT n + 1, ${row.live}, ${row.until}, ${row.holder}, ${row.rules}, ${row.applied}, ${row.note}, now64(3), ${row.before}, ${row.since}
  FROM (${NEWEST}) WHERE ${expected} SETTINGS insert_quorum = 'auto', insert_deduplicate = 0, ${SHORT}`

const SAME = {
  live: 'live',
  rules: 'rules',
  applied: 'applied',
  note: 'note',
  before: 'rules_before',
  since: 'rules_since',
}
const LOCK = follow({ ...SAME, until: UNTIL, holder: '{holder:String}', note: '{note:String}' }, CLAIMED)
const RENEW = follow({ ...SAME, until: UNTIL, holder: 'holder' }, MINE)
const RELEASE = follow({ ...SAME, until: '0', holder: "''" }, MINE)
const PROMOTED = {
  ...SAME,
  live: '{live:String}',
  until: '0',
  holder: '{promoted:String}',
  rules: '{rules:String}',
  applied: '{applied:Array(UInt64)}',
}
const PROMOTE = follow(PROMOTED, MINE)
const PROMOTE_RULES = follow({ ...PROMOTED, before: '{before:String}', since: '{since:Array(UInt64)}' }, MINE)

const CLAIMS =
  'SELECT name, metadata_modification_time < now() - 30 AS old FROM system.tables WHERE database = currentDatabase()'

/**
 * Claims the right to append the lock row. Creating a table succeeds for only one of several processes. A table name
 * is never reused, so a table left by a command that died is skipped, not taken over.
 */
async function claim(history: History, n: string, on: string): Promise<void> {
  const claims = await history.query<{ name: string; old: number }>({ sql: CLAIMS, params: {} })
  const left = claims.filter(({ name, old }) => name.startsWith(`hold_${n}_`) && Boolean(old))
  for (const { name } of claims)
    if (name.startsWith('hold_') && !name.startsWith(`hold_${n}_`))
      await history.command(`DROP TABLE IF EXISTS ${name}${on}`)
  await history
    .command(`CREATE TABLE hold_${n}_${left.length}${on} (n UInt8) ENGINE = Null`)
    .catch((error: unknown) => {
      if (error instanceof ClickHouseError && error.code === TABLE_EXISTS) throw new Error(BUSY, { cause: error })
      throw error
    })
}

/**
 * Takes the lock on the jobs and renews it until it is released.
 * @param newest reads the pointer; `on` is the clause that names the cluster
 * @throws Error while another command has the lock
 */
export async function lockJobs(
  history: History,
  newest: () => Promise<Pointer | null>,
  note: string,
  on: string,
): Promise<JobLock> {
  const holder = randomUUID()
  const before = await newest()
  if (before === null) throw new Error('the history store was never started by this release; start the platform once')
  if (before.held) throw new Error(BUSY)
  await claim(history, before.n, on)
  await history.command(LOCK, { holder, note, n: BigInt(before.n) })
  const mine = async (): Promise<boolean> => (await newest())?.holder === holder
  if (!(await mine())) throw new Error(BUSY)
  const lost = new AbortController()
  const lose = (cause?: unknown): void => lost.abort(new Error('lost the pause of the jobs', { cause }))
  let renewed = performance.now()
  const renew = async (): Promise<void> => {
    const began = performance.now()
    await history.command(RENEW, { holder })
    if (!(await mine())) return lose()
    renewed = began
  }
  let renewing = Promise.resolve()
  /** Until this time a statement whose answer was lost may still write. */
  let doubtful = 0
  const timer = setInterval(() => {
    renewing = renew().catch((error: unknown) => {
      // A renewal that fails is followed by others while the lock still lasts.
      doubtful = performance.now() + GRACE_MS
      if (performance.now() - renewed > LOCK_MS - RENEW_MS) lose(error)
    })
  }, RENEW_MS)
  /** Two rows that follow the same row would alternate as the newest: nothing else may write from here on. */
  const stopRenewing = async (): Promise<void> => {
    clearInterval(timer)
    await renewing
    await sleep(Math.max(0, doubtful - performance.now()))
  }

  return {
    lost: lost.signal,
    async promote({ database, rules, applied, rescored }) {
      await stopRenewing()
      lost.signal.throwIfAborted()
      // The row names its promotion, so that a lost answer is not taken for a failure.
      const promoted = `promoted by ${holder}`
      const row = { holder, live: database, rules, applied: applied.map(BigInt), promoted }
      if (rescored === undefined) await history.command(PROMOTE, row)
      else {
        const { before, since } = rescored
        await history.command(PROMOTE_RULES, { ...row, before, since: since.map(BigInt) })
      }
      if ((await newest())?.holder !== promoted) throw new Error('lost the pause of the jobs; nothing was changed')
    },
    async release() {
      await stopRenewing()
      await history.command(RELEASE, { holder })
    },
  }
}
