import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventUuid, mispFolder } from '../../builders/feeds/misp-folder.ts'
import { command, type Ran } from '../../builders/platform/command.ts'
import { type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'

/** A MISP feed in a folder, imported again and again into a platform, with changes of its events in between. */
const folder = temporaryFolder()
const feed = mispFolder(join(folder, 'feed'))
let platform: Platform | undefined

beforeAll(async () => {
  platform = await startPlatform(join(folder, 'data'))
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

const imported = (...more: string[]): Promise<Ran> =>
  command(
    join(folder, 'data'),
    'feed',
    'import',
    join(folder, 'feed'),
    '--format',
    'misp-feed',
    '--feed',
    'partner',
    ...more,
  )

const domain = (value: string, more: object = {}) => ({ type: 'domain', value, to_ids: true, ...more })
const [A, B, C] = [eventUuid(1), eventUuid(2), eventUuid(3)]

const WITHIN_MS = 10_000

/** Waits until the platform shows a domain as `wanted`. */
const shows = (value: string, wanted: object): Promise<void> =>
  expect
    .poll(async () => (await platform!.ask('/api/search/v1/entity', { type: 'domain', value })).body, {
      timeout: WITHIN_MS,
    })
    .toMatchObject(wanted)

test('what an event says is stated, and only events that changed are read again', async () => {
  await feed.put(
    { uuid: A, info: 'First', Attribute: [domain('only-a.example'), domain('both.example'), domain('gone.example')] },
    100,
  )
  await feed.put(
    {
      uuid: B,
      info: 'Second',
      Attribute: [domain('both.example', { Tag: [{ name: 'of:b' }] }), domain('seen.example', { to_ids: false })],
    },
    100,
  )
  expect(await imported()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 events read, 0 unchanged') })
  await shows('only-a.example', { reputation: -3, attributes: { threat: 'first' } })
  await shows('both.example', { reputation: -3, tags: ['of:b'] })
  await shows('seen.example', { reputation: 0 })
  expect(await imported()).toMatchObject({ code: 0, stdout: expect.stringContaining('0 events read, 2 unchanged') })
})

test('a removed and a deleted attribute are taken back; the same value in another event stays', async () => {
  await feed.put(
    {
      uuid: A,
      info: 'First',
      Attribute: [domain('only-a.example'), domain('both.example', { deleted: true }), domain('new.example')],
    },
    101,
  )
  const ran = await imported()
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('1 events read, 1 unchanged') })
  expect(ran.stdout).toContain('2 entities retracted')
  await shows('new.example', { reputation: -3 })
  await shows('only-a.example', { reputation: -3 })
  await shows('gone.example', { reputation: 0, retracted: true })
  await shows('both.example', { reputation: -3, tags: ['of:b'], attributes: { threat: 'second' } })
})

test('an event that cannot be read is named and takes nothing back; others are imported', async () => {
  await feed.put({ uuid: C, Attribute: [domain('third.example')] }, 102)
  await feed.put({ uuid: B, Attribute: [] }, 102)
  await feed.write(B, '{"Event": {')
  await feed.name('../../etc/passwd')
  const ran = await imported()
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('1 events read, 1 unchanged, 0 left the feed')
  expect(ran.stderr).toContain(`${B}: ${B}.json is not JSON`)
  expect(ran.stderr).toContain('../../etc/passwd: its name in the manifest is no UUID')
  await shows('third.example', { reputation: -3 })
  await shows('both.example', { reputation: -3, tags: ['of:b'] })
})

test('an event that left the manifest is taken back', async () => {
  await feed.put({ uuid: B, info: 'Second', Attribute: [] }, 103)
  await feed.drop(A)
  const ran = await imported()
  expect(ran.stdout).toContain('1 events read, 1 unchanged, 1 left the feed')
  for (const value of ['only-a.example', 'new.example', 'both.example', 'seen.example'])
    await shows(value, { reputation: 0, retracted: true })
  await shows('third.example', { reputation: -3 })
})
