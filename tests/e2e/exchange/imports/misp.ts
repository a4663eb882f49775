import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventUuid, mispFolder } from '../../../builders/feeds/misp/folder.ts'
import { command, commandWith, type Ran } from '../../../builders/platform/command.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** MISP feeds imported into a platform, with changes of their events in between; and events that leave it. */
export function misp(shared: Shared): void {
  const { folder, platform } = shared
  const feed = mispFolder(join(folder, 'feed'))

  const imported = (...more: string[]): Promise<Ran> =>
    command(folder, 'feed', 'import', join(folder, 'feed'), '--format', 'misp-feed', '--feed', 'partner', ...more)

  const domain = (value: string, more: object = {}) => ({ type: 'domain', value, to_ids: true, ...more })
  const [A, B, C] = [eventUuid(1), eventUuid(2), eventUuid(3)]

  const WITHIN_MS = 10_000

  /** Waits until the platform shows a domain as `wanted`. */
  const shows = (value: string, wanted: object): Promise<void> =>
    expect
      .poll(async () => (await platform.ask('/api/search/v1/entity', { type: 'domain', value })).body, {
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
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('1 event read, 1 unchanged') })
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
    expect(ran.stdout).toContain('1 event read, 1 unchanged, 0 left the feed')
    expect(ran.stderr).toContain(`${B}: ${B}.json is not JSON`)
    expect(ran.stderr).toContain('../../etc/passwd: its name in the manifest is not a UUID')
    await shows('third.example', { reputation: -3 })
    await shows('both.example', { reputation: -3, tags: ['of:b'] })
  })

  test('an event that left the manifest is taken back', async () => {
    await feed.put({ uuid: B, info: 'Second', Attribute: [] }, 103)
    await feed.drop(A)
    const ran = await imported()
    expect(ran.stdout).toContain('1 event read, 1 unchanged, 1 left the feed')
    for (const value of ['only-a.example', 'new.example', 'both.example', 'seen.example'])
      await shows(value, { reputation: 0, retracted: true })
    await shows('third.example', { reputation: -3 })
  })

  const exported = (...flags: string[]): Promise<Ran> =>
    commandWith(
      {
        HARRIER_DATA_DIR: folder,
        HARRIER_URL: platform.url,
        HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
        HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      },
      ...['export', 'misp', ...flags],
    )

  const valuesIn = (event: string): string[] =>
    (JSON.parse(event).Event.Attribute as { value: string }[]).map(({ value }) => value).sort()

  const BAD = '{"types": ["domain", "command"], "reputation": {"lte": -1}}'

  test('an export has what its reader is shown, and counts what MISP has no type for', async () => {
    await writeFile(join(folder, 'list'), 'hidden.example\n')
    const list = ['feed', 'import', join(folder, 'list'), '--format', 'lines', '--feed', 'own', '--visible-by', 'soc']
    expect((await command(folder, ...list)).code).toBe(0)
    const report = { type: 'command', attributes: { command: 'evil -x' }, reputation: -3, visibleBy: ['public'] }
    expect((await platform.ask('/api/ingest/v1/entity', report)).status).toBe(202)
    const file = join(folder, 'out.json')
    await expect
      .poll(async () => (await exported('--selector', BAD, '--out', file)).stderr, { timeout: WITHIN_MS })
      .toBe('2 items, 1 of them not in the event: MISP has no type for them\n')
    const open = await readFile(file, 'utf8')
    expect(valuesIn(open)).toEqual(['third.example'])
    expect(JSON.parse(open).Event).toMatchObject({ distribution: '3', Tag: [{ name: 'tlp:clear' }] })
    await expect
      .poll(async () => valuesIn((await exported('--selector', BAD, '--visible-by', 'soc')).stdout), {
        timeout: WITHIN_MS,
      })
      .toEqual(['hidden.example', 'third.example'])
    const restricted = await exported('--selector', BAD, '--visible-by', 'soc')
    expect(JSON.parse(restricted.stdout).Event).toMatchObject({ distribution: '0', Tag: [{ name: 'tlp:amber' }] })
    expect((await exported('--selector', BAD, '--out', file)).code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(open)
  })

  test('the list of a feed is exported as the platform serves it', async () => {
    const body = { name: 'Bad domains', selector: JSON.parse(BAD), groups: ['public'], open: true }
    const { body: made } = await platform.ask('/api/feeds/v1/feeds', body)
    const path = `/api/feeds/v1/feeds/${made.id}`
    await expect.poll(async () => (await platform.ask(path)).body.state, { timeout: WITHIN_MS }).toBe('live')
    const ran = await exported('--feed', made.id)
    expect(ran).toMatchObject({ code: 0, stderr: '2 items, 1 of them not in the event: MISP has no type for them\n' })
    expect(ran.stdout).toBe(await (await fetch(`${platform.url}${path}/items.misp`)).text())
  })

  test('what cannot be exported as it was typed is said, and ends with 2', async () => {
    for (const [flags, said] of [
      [[], 'one of --feed and --selector is required'],
      [['--feed', 'x', '--selector', '{}'], 'one of --feed and --selector is required'],
      [['--feed', 'x', '--visible-by', 'soc'], '--visible-by: a feed has its own readers'],
      [['--selector', '{"kind": 1}'], '--selector: '],
      [['--selector', '{'], '--selector is not JSON'],
    ] as [string[], string][]) {
      const ran = await exported(...flags)
      expect([flags, ran.code, ran.stdout]).toEqual([flags, 2, ''])
      expect(ran.stderr).toContain(said)
    }
  })
}
