import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { History } from '../../../../connectors/history/port.ts'
import { withHistory } from '../../../builders/platform/data-folder.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../../builders/platform/platform.ts'
import { imported } from '../../write/pipeline.ts'
import { madeFolder, OWNER } from './data-folder.ts'
import { cpuOf, metric } from './watch.ts'

const BLOCK = 5_000_000
const HOURS = 240
const HOUR = 3_600_000
const GIVE_UP_MS = 600_000
const EVERY_MS = 500

/** Hours in which each domain was seen; all matches of an indicator are told one by one. */
const ROWS_A_DOMAIN = 5
const domainOf = (n: number): string => `later${n}.com`
/** Indicators lie anywhere in the ledger. */
const SPREAD = 7_919

/** Rows as the job stores them: a name of a domain in one of some hours, once each. */
const insert = (from: number, rows: number, start: number, domains: number): string => `
INSERT INTO telemetry_ledger (owner, anchor, key, value, field, hour, count, first, last, hosts, refs, expires)
SELECT '${OWNER}', concat('n:com.later', toString(d)), concat('com.later', toString(d), '.h', toString(h)),
  concat('h', toString(h), '.later', toString(d), '.com'), 'query', toDateTime(at, 'UTC'), 1,
  fromUnixTimestamp64Milli(at * 1000 + 5, 'UTC'), fromUnixTimestamp64Milli(at * 1000 + 9, 'UTC'),
  [concat('pc', toString(number % 3000))], [concat('C', hex(number))], toDateTime(at + 2592000, 'UTC')
FROM (SELECT number, number % ${domains} AS d, intDiv(number, ${domains}) AS h,
  toInt64(${start / 1000}) + (number % ${HOURS}) * 3600 AS at FROM numbers(${from}, ${rows}))`

const domainsOf = (rows: number): number => Math.ceil(rows / ROWS_A_DOMAIN)

async function fillLedger(home: History, rows: number): Promise<void> {
  const start = Math.floor(Date.now() / HOUR) * HOUR - HOURS * HOUR
  for (let from = 0; from < rows; from += BLOCK) {
    await home.command(insert(from, Math.min(BLOCK, rows - from), start, domainsOf(rows)))
    process.stderr.write(`\rledger: ${Math.min(rows, from + BLOCK)} rows`)
  }
  process.stderr.write('\n')
}

/**
 * New indicators, imported at once, against a large ledger: until every match is told. The baseline is the question to the
 * ledger for all of its rows, which reads it once.
 */
export async function retro(indicators: number, rows: number, kept?: string): Promise<void> {
  const dataDir = kept ?? join(temporaryFolder(), 'data')
  await madeFolder(dataDir, 0, (home) => fillLedger(home, rows))
  await withHistory(dataDir, async (home) => {
    const from = performance.now()
    const sql = 'SELECT uniq(value) AS n, sum(count) AS c FROM telemetry_ledger WHERE owner = {owner:String}'
    await home.query({ sql, params: { owner: OWNER } })
    console.log(`baseline         one read of the ledger ${((performance.now() - from) / 1_000).toFixed(1)} s`)
  })
  // A folder that is used again has met the others already.
  const first = Math.floor(Date.now() / 1_000) * indicators
  const domains = domainsOf(rows)
  const chosen = Array.from({ length: indicators }, (_, n) => ((first + n) * SPREAD) % domains)
  const file = join(dataDir, 'feed.tsv')
  writeFileSync(file, chosen.map((d) => `${domainOf(d)}\tmalware\tbench\n`).join(''))
  const expected = chosen.reduce((sum, d) => sum + Math.floor((rows - 1 - d) / domains) + 1, 0)
  imported(dataDir, file)
  const platform = await startPlatform(dataDir)
  try {
    const [began, before] = [performance.now(), cpuOf(platform.pid)]
    const told = await eventually(
      async () => {
        await sleep(EVERY_MS)
        return metric(platform, 'harrier_matches_total', 'direction="retro"')
      },
      (n) => n >= expected,
      GIVE_UP_MS,
    )
    const seconds = (performance.now() - began) / 1_000
    const used = [...cpuOf(platform.pid)].map(([name, cpu]) => `${name} ${(cpu - (before.get(name) ?? 0)).toFixed(1)}`)
    console.log(
      `retro            ${told} matches of ${indicators} new indicators with ${rows.toLocaleString('en')} rows in ${seconds.toFixed(1)} s after the start`,
    )
    console.log(`                 CPU-seconds ${used.join(', ')}; load ${loadavg()[0]!.toFixed(1)}`)
  } finally {
    await platform.stop()
    if (kept === undefined) remove(join(dataDir, '..'))
  }
}
