import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../../schemas/random.ts'
import { changesIn, changesTold, TOLD_RIGHT } from '../builders/changes.ts'
import { defaultRules, logOf, withHistory } from '../builders/data-folder.ts'
import { lag } from '../builders/lag.ts'
import { randomLog } from '../builders/observation-log.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../builders/platform.ts'
import { observationsOf, replayed } from '../builders/replay.ts'
import { differences, NO_DIFFERENCES } from '../builders/stored.ts'
import { storedIn } from '../builders/stored-tables.ts'

/** SIGKILL of a rebuild at random moments beside a running platform, which then goes over to what came of it. */
const KILLS = Number(process.env.HARRIER_CHAOS_KILLS ?? 2)
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const OBSERVATION_SCHEMA = 2
const RECORDS = 6_000
const TAKES_MS = 6_000

const random = seeded(SEED)
const folder = temporaryFolder()
const dataDir = join(folder, 'data')
let platform: Platform

function harrier(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; printed: string }> } {
  const env = { ...process.env, HARRIER_DATA_DIR: dataDir }
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  return { child, ended: new Promise((resolve) => child.once('exit', (code) => resolve({ code, printed }))) }
}

async function report(n: number): Promise<void> {
  const body = { type: 'ip', attributes: { ip: `198.51.${Math.floor(n / 200)}.${(n % 200) + 1}` }, reputation: -2 }
  expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
}

const applied = () =>
  eventually(
    () => lag(platform.url),
    (left) => left === 0,
    120_000,
  )

beforeAll(async () => {
  platform = await startPlatform(dataDir)
  const log = await logOf(dataDir)
  await randomLog(log, OBSERVATION_SCHEMA, RECORDS, SEED)
  await log.close()
  await applied()
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

test(`${KILLS} kills leave a rebuild that equals the live tables, and its promotion loses nothing of what comes meanwhile`, async () => {
  let database = ''
  for (let kill = 0; kill < KILLS; kill++) {
    const run =
      database === '' ? harrier('replay', 'start', '--entities', '500') : harrier('replay', 'resume', database)
    await sleep(random() * TAKES_MS)
    run.child.kill('SIGKILL')
    const { printed } = await run.ended
    database ||= /^(\w+): \d+ slices/m.exec(printed)?.[1] ?? ''
  }
  const last = database === '' ? harrier('replay', 'start') : harrier('replay', 'resume', database)
  const { code, printed } = await last.ended
  expect([code, printed]).toEqual([0, expect.stringContaining('is whole')])
  database ||= /^(\w+): \d+ slices/m.exec(printed)![1]!

  const compared = await harrier('replay', 'compare', database).ended
  expect(compared.printed).not.toContain('DIFFERS')
  expect(compared).toMatchObject({ code: 0, printed: expect.stringMatching(/^history\tequal\t\d{4,}/m) })

  let stop = false
  let sent = 0
  const reporting = (async () => {
    for (; !stop && sent < 2_000; sent++) await report(sent)
  })()
  const promoted = await harrier('replay', 'promote', database).ended
  stop = true
  await reporting
  expect(promoted).toMatchObject({ code: 0, printed: expect.stringContaining(`${database} is live`) })
  expect(sent).toBeGreaterThan(0)
  await report(sent)
  await applied()
  const counts = await harrier('counts', 'check').ended
  expect(counts).toMatchObject({ code: 0, printed: expect.stringContaining('every counter equals a recount') })
  expect((await platform.ask('/api/analytics/v1/overview')).body.total_entities).toBeGreaterThan(1_000)
  await platform.stop()

  const log = await logOf(dataDir)
  const observations = await observationsOf(log)
  const changes = await changesIn(log)
  await log.close()
  const actual = await withHistory(dataDir, (history) => storedIn(history.at(database)))
  expect(differences(replayed(observations, defaultRules()), actual)).toEqual(NO_DIFFERENCES)
  expect(changesTold(observations, defaultRules(), changes)).toEqual(TOLD_RIGHT)
}, 600_000)
