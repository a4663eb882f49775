import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../cli/wiring/open/database.ts'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { automaticScanJob } from '../../../pipelines/jobs/scans/automatic-scans.ts'
import { loadConfig } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { viewChange } from '../../../schemas/intelligence/state/view-change.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import { SYSTEM_USER } from '../../../schemas/scans/scan.ts'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { changesIn, comparePublished, TOLD_RIGHT } from '../../builders/intelligence/changes.ts'
import { observationsOf } from '../../builders/intelligence/replay/replay.ts'
import { defaultRules, logOf } from '../../builders/platform/data-folder.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { scansOver } from '../../builders/scans/scans.ts'

/** What a report changed can be read from the log, by audience, and calls for scans where that is configured. */
const folder = temporaryFolder()
let platform: Platform | undefined
let blue: User

beforeAll(async () => {
  // Documentation addresses are not public: what is scheduled here is nothing that anybody would connect to.
  platform = await startPlatform(folder, { HARRIER_AUTOMATIC_SCANS: 'true' })
  blue = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

async function report(value: string, given: object = {}, as?: User['headers']): Promise<void> {
  const body = { type: 'ip', attributes: { ip: value }, reputation: -3, ...given }
  expect((await platform!.ask('/api/ingest/v1/entity', body, as)).status).toBe(202)
}

async function onLog<T>(look: (log: Awaited<ReturnType<typeof logOf>>) => Promise<T>): Promise<T> {
  const log = await logOf(folder)
  return look(log).finally(() => log.close())
}

const changes = (count: number): Promise<Change[]> =>
  eventually(
    () => onLog(changesIn),
    (all) => all.length >= count,
  )

test('what reports and marks changed stands on the log, each record once, with the rows of every audience', async () => {
  await report('203.0.113.5', { tags: ['scanner'] })
  await changes(1)
  await report('203.0.113.5', { tags: ['internal'] }, blue.headers)
  await changes(2)
  await report('203.0.113.5', { reputation: 2 })
  await changes(3)
  const mark = { type: 'ip', attributes: { ip: '203.0.113.5' } }
  expect((await platform!.ask('/api/ingest/v1/well-known', mark)).status).toBe(202)
  const told = await changes(4)
  const views = (groups: string[]) =>
    told.map((change) => {
      const seen = viewChange(change, (audience) => audience.some((group) => groups.includes(group)))
      return seen === null || seen === 'wide' ? null : { ...seen, was: seen.before?.reputation ?? null }
    })
  expect(views(['public'])).toMatchObject([
    { kinds: ['created'], was: null, after: { value: '203.0.113.5', reputation: -3, tags: ['scanner'] } },
    null,
    { kinds: ['scored'], was: -3, after: { reputation: 2, tags: ['scanner'] } },
    { kinds: ['marked'], was: 2, after: { reputation: 2 } },
  ])
  expect(views(['public', 'blue'])).toMatchObject([
    { kinds: ['created'], was: null },
    { kinds: ['updated'], was: -3, after: { tags: ['internal', 'scanner'] } },
    { kinds: ['scored'] },
    { kinds: ['marked'], reason: 'marked' },
  ])
})

test('what is new is read by who schedules scans, and an address that is not public gets none', async () => {
  const behind = (log: Awaited<ReturnType<typeof logOf>>) =>
    Promise.all([log.offsets(CHANGES), log.committed('scan.automatic', CHANGES)]).then(([offsets, committed]) =>
      offsets.reduce((sum, { high }, i) => sum + high - (committed[i]?.offset ?? 0), 0),
    )
  await eventually(
    () => onLog(behind),
    (left) => left === 0,
  )
  const { body } = await platform!.ask('/api/ingest/v1/admin/scans')
  expect(body.items).toBe(0)
})

test('the changes on the log are those of a replay, and each audience gets a scan of its own', async () => {
  expect(await platform!.stop()).toBe(0)
  platform = undefined
  const log = await logOf(folder)
  const told = await changesIn(log)
  expect(comparePublished(await observationsOf(log), defaultRules(), told)).toEqual(TOLD_RIGHT)

  // The whole job over the stores of the platform, where such addresses are allowed and nobody runs the scans.
  const logger = pino({ level: 'silent' })
  const config = loadConfig({ HARRIER_DATA_DIR: folder })
  const registry = await openRegistry(config)
  const database = await openDatabase(config, logger)
  const scans = scansOver(database.db)
  const ports = {
    log,
    registry,
    scans,
    now: Date.now,
    newId: randomUUID,
    pause,
    onScan: () => undefined,
    onFailure: (error: unknown) => logger.error(error),
  }
  const job = automaticScanJob(ports, { allowPrivate: true })
  for (let start = 0; start < 2; start++) {
    const consumer = await log.consume({ ...job, group: `again-${start}` }, job.eachBatch)
    await eventually(
      () => scans.list({}, { limit: 10, offset: 0 }),
      ({ items }) => items >= 2,
    )
    await consumer.stop()
  }
  const { items, scans: tasks } = await scans.list({}, { limit: 10, offset: 0 })
  expect(items).toBe(2)
  for (const task of tasks) expect(task).toMatchObject({ target: '203.0.113.5', priority: 'automatic', status: 'new' })
  expect(tasks.filter(({ userId }) => userId === SYSTEM_USER)).toHaveLength(1)
  await Promise.all([log.close(), registry.close(), database.close()])
})
