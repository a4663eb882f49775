import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { differences, NO_DIFFERENCES } from '../../builders/history/stored.ts'
import { storedIn } from '../../builders/history/stored-tables.ts'
import { observationsOf, replayed } from '../../builders/intelligence/replay/replay.ts'
import { attempt } from '../../builders/platform/attempt.ts'
import { defaultRules, logOf, withHistory } from '../../builders/platform/data-folder.ts'
import { eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { smallDisk } from '../../builders/platform/system/small-disk.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** A data folder without room: what cannot be kept is not acknowledged, what was kept stays, and room is enough to go on. */
const MEBIBYTES = 256
const folder = ownFolder()
const disk = smallDisk(folder, MEBIBYTES)
if (disk === null) console.log('skipped: mounting a small disk needs root')

let platform: Platform | undefined
afterAll(async () => {
  await platform?.stop()
  disk?.unmount()
})

type Answer = Awaited<ReturnType<Platform['ask']>>

const report = (n: number): Promise<Answer> =>
  platform!.ask('/api/ingest/v1/entity', {
    type: 'domain',
    attributes: { domain: `n${n}.example.com`, text: randomBytes(10_000).toString('hex') },
    reputation: -1,
  })
const total = async (): Promise<number> =>
  (await platform!.ask('/api/analytics/v1/overview').catch(() => null))?.body?.total_entities

test.skipIf(disk === null)(
  'on a full disk a submission is refused with an id, and all goes on once there is room',
  async () => {
    platform = await startPlatform(folder)
    let kept = 0
    for (; kept < 20; kept++) expect((await report(kept)).status).toBe(202)
    await eventually(total, (n) => n === kept)

    disk!.fill()
    let refused: Answer | undefined
    // Pages that the log holds already are still good for some; what they take in counts as any other.
    for (let tries = 0; tries < 500 && refused === undefined; tries++) {
      const answer = await report(1000 + kept)
      if (answer.status === 202) kept++
      else refused = answer
    }
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'publish_failed', type: 'ERROR' } } })
    expect(refused!.headers.get('x-error-id')).toBe(refused!.body.error.error_id)
    expect(refused!.headers.get('x-error')).toBe('publish failed')
    expect((await platform.ask('/livez', undefined, null)).status).toBe(200)

    disk!.clear()
    const again = await eventually(
      () => report(9999),
      (answer) => answer.status === 202,
    )
    expect(again.body.message).toBe('acknowledged')
    kept++
    // The jobs were ended by the full disk and come back with growing pauses.
    await eventually(total, (n) => n === kept)
    expect(await platform.stop()).toBe(0)
    platform = undefined

    disk!.fill()
    for (const dataDir of [folder, join(folder, 'new')]) {
      const { code, printed } = await attempt({ HARRIER_DATA_DIR: dataDir })
      const named = `harrier: the disk of the data folder ${dataDir} is full (0.0 MiB free); free disk space`
      expect([code, printed]).toEqual([1, expect.stringContaining(named)])
    }
    disk!.clear()
    platform = await startPlatform(folder)
    await eventually(total, (n) => n === kept)
    expect(await platform.stop()).toBe(0)
    platform = undefined

    const log = await logOf(folder)
    const observations = await observationsOf(log)
    await log.close()
    expect(observations).toHaveLength(kept)
    const found = differences(replayed(observations, defaultRules()), await withHistory(folder, storedIn))
    expect(found).toEqual(NO_DIFFERENCES)
  },
  300_000,
)
