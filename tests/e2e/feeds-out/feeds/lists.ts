import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reachEngine } from '../../../../cli/wiring/open/engine.ts'
import { openHistory } from '../../../../cli/wiring/open/open-history.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { FeedStore } from '../../../../connectors/history/feeds-out/port.ts'
import type { FeedCommand } from '../../../../schemas/feeds-out/command.ts'
import { encodeCommand } from '../../../../schemas/feeds-out/command.ts'
import type { FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import { DEFAULT_GUARD, type Feed } from '../../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../../schemas/feeds-out/head.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { FEED_COMMANDS } from '../../../../schemas/log/topics.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { selectorOf } from '../../../builders/intelligence/selectors/view.ts'
import { command } from '../../../builders/platform/command.ts'
import { logOf } from '../../../builders/platform/data-folder.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { prepared } from '../../../builders/suite/during.ts'

/** The lists of feeds follow what is reported, for the reader of each, through the log and the store of the platform. */
export function lists(shared: Shared): void {
  const { folder, platform } = shared

  const PUBLIC_BAD = '5c6f3a51-0000-4000-8000-000000000001'
  const BLUE_BAD = '5c6f3a51-0000-4000-8000-000000000002'

  const feedOf = (id: string, given: Partial<Feed> = {}): Feed => ({
    id,
    name: 'bad addresses',
    selector: selectorOf({ types: ['ip'], reputation: { lte: -1 } }),
    groups: ['public'],
    cap: null,
    guard: DEFAULT_GUARD,
    revision: 1,
    ...given,
  })

  const blue = prepared(() => newUserOf(platform, { roles: ['reporter'], groups: ['blue'] }))

  async function order(...commands: FeedCommand[]): Promise<void> {
    const log = await logOf(folder)
    const messages = commands.map((one) => ({ key: 'id' in one ? one.id : one.feed.id, value: encodeCommand(one) }))
    await log.send([{ topic: FEED_COMMANDS, messages }]).finally(() => log.close())
  }

  /** What the view of an entity shows, once it is known. */
  const known = async (type: string, value: string) =>
    (
      await eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId(type, value)}`),
        ({ status }) => status === 200,
      )
    ).body

  async function report(value: string, given: object = {}, as?: User['headers']): Promise<void> {
    const body = { type: 'ip', attributes: { ip: value }, reputation: -3, ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body, as)).status).toBe(202)
  }

  async function onLists<T>(look: (lists: FeedStore) => Promise<T>): Promise<T> {
    const engine = await reachEngine({ clickhouseUrl: null, dataDir: folder })
    const history = openHistory(engine.url)
    return look(feedStore(history, 'harrier')).finally(async () => {
      await history.close()
      await engine.stop()
    })
  }

  const head = async (id: string): Promise<FeedHead | undefined> =>
    (await onLists((lists) => lists.heads())).find(({ feed }) => feed.id === id)

  const until = (id: string, ok: (head: FeedHead) => boolean): Promise<FeedHead> =>
    eventually(
      async () => (await head(id)) as FeedHead,
      (found) => found !== undefined && ok(found),
    )

  const deltas = async (id: string): Promise<string[]> => {
    const found = await onLists((lists) => lists.deltas(id, 0, 1_000_000, 10_000))
    return found.map((one: FeedDelta) => `${one.sequence} ${one.op} ${one.item.value} ${one.reason}`)
  }

  /** Two reports come in one step or in two: a step tells its removals first, whatever came first. */
  const FOLLOWED = ['add 203.0.113.4 reported', 'remove 203.0.113.1 reported']
  const anyOrder = (told: string[]): string[] => told.map((line) => line.slice(line.indexOf(' ') + 1)).sort()

  test('a feed is filled with what is there, and follows what is reported', async () => {
    await report('203.0.113.1')
    await report('203.0.113.2', { reputation: 2 })
    await report('203.0.113.3', {}, blue.headers)
    await eventually(
      async () =>
        (await platform.ask(`/api/search/v1/entity/${entityId('ip', '203.0.113.3')}`, undefined, blue.headers)).status,
      (status) => status === 200,
    )
    await order(
      { kind: 'put', feed: feedOf(PUBLIC_BAD) },
      { kind: 'put', feed: feedOf(BLUE_BAD, { groups: ['blue', 'public'] }) },
    )
    expect(await until(PUBLIC_BAD, ({ epoch }) => epoch > 0)).toMatchObject({ items: 1, sequence: 0 })
    expect(await until(BLUE_BAD, ({ epoch }) => epoch > 0)).toMatchObject({ items: 2, sequence: 0 })

    await report('203.0.113.4', { tags: ['bot'] })
    await report('203.0.113.1', { reputation: 3 })
    await report('203.0.113.5', {}, blue.headers)
    await until(PUBLIC_BAD, ({ sequence }) => sequence === 2)
    await until(BLUE_BAD, ({ sequence }) => sequence === 3)
    expect(anyOrder(await deltas(PUBLIC_BAD))).toEqual(FOLLOWED)
  })

  test('a new selector is a step like any other: removals first, then additions', async () => {
    await report('bad.example', { type: 'domain', attributes: { domain: 'bad.example' } })
    await report('worse.example', { type: 'domain', attributes: { domain: 'worse.example' } })
    const selector = selectorOf({ types: ['domain'] })
    await eventually(
      async () => (await platform.ask(`/api/search/v1/entity/${entityId('domain', 'worse.example')}`)).status,
      (status) => status === 200,
    )
    await order({ kind: 'put', feed: feedOf(PUBLIC_BAD, { selector, revision: 2 }) })
    await until(PUBLIC_BAD, ({ feed }) => feed.revision === 2)
    const told = await deltas(PUBLIC_BAD)
    expect(anyOrder(told.slice(0, 2))).toEqual(FOLLOWED)
    expect(told.slice(2)).toEqual([
      '3 remove 203.0.113.4 selector',
      expect.stringMatching(/^4 add (bad|worse).example selector$/),
      expect.stringMatching(/^5 add (bad|worse).example selector$/),
    ])
  })

  test('a list that is held stays as it is until it is released, also across a kill', async () => {
    await order({ kind: 'hold', id: BLUE_BAD, at: Date.now() })
    const before = await until(BLUE_BAD, ({ held }) => held !== null)
    await report('203.0.113.6')
    await until(BLUE_BAD, ({ inside }) => inside === before.inside + 1)
    await platform.kill()
    await shared.start()
    await report('203.0.113.7')
    const held = await until(BLUE_BAD, ({ inside }) => inside === before.inside + 2)
    expect(held).toMatchObject({ items: before.items, sequence: before.sequence })
    await order({ kind: 'release', id: BLUE_BAD, at: Date.now() })
    await until(BLUE_BAD, ({ sequence }) => sequence === before.sequence + 2)
    expect(anyOrder((await deltas(BLUE_BAD)).slice(-2))).toEqual([
      'add 203.0.113.6 reported',
      'add 203.0.113.7 reported',
    ])
  })

  test('what comes under a well-known network is on no list, not even for a moment, however it comes', async () => {
    const mark = { type: 'cidr', attributes: { cidr: '198.51.100.0/24' } }
    expect((await platform.ask('/api/ingest/v1/well-known', mark)).status).toBe(202)
    await known('cidr', '198.51.100.0/24')
    // A process that makes records reads the marks every five seconds.
    await sleep(8_000)
    const { sequence } = await until(BLUE_BAD, () => true)
    await report('198.51.100.1')
    await report('198.51.100.2', {}, blue.headers)
    const file = join(folder, 'list.txt')
    writeFileSync(file, '198.51.100.3\n198.51.100.4\n')
    expect(await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'bad')).toMatchObject({
      code: 0,
    })
    for (const last of [1, 3, 4]) expect((await known('ip', `198.51.100.${last}`)).reputation).toBe(0)
    await report('203.0.113.8')
    await until(BLUE_BAD, (head) => head.sequence === sequence + 1)
    expect((await deltas(BLUE_BAD)).filter((line) => line.includes('198.51.100.'))).toEqual([])
  })

  test('a feed that is made over the API becomes live, tells its size, and is gone when it is deleted', async () => {
    const made = await platform.ask('/api/feeds/v1/feeds', {
      name: 'mine',
      selector: { types: ['ip'], value: { prefix: '203.0.113.' } },
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    const feed = () => platform.ask(`/api/feeds/v1/feeds/${id}`)
    const live = await eventually(feed, ({ body }) => body.state === 'live')
    const before = live.body.items
    expect(before).toBeGreaterThan(0)
    await report('203.0.113.77')
    const after = await eventually(feed, ({ body }) => body.items === before + 1)
    expect(after.body).toMatchObject({ state: 'live', sequence: 1 })
    const held = await platform.ask(`/api/feeds/v1/feeds/${id}/hold`, {})
    expect(held.status).toBe(202)
    await eventually(feed, ({ body }) => body.state === 'held')
    await report('203.0.113.78')
    const waiting = await eventually(feed, ({ body }) => body.held?.would === before + 2)
    expect(waiting.body.held.now).toBe(before + 1)

    const removed = await fetch(`${platform.url}/api/feeds/v1/feeds/${id}`, {
      method: 'DELETE',
      headers: ADMINISTRATOR,
    })
    expect(removed.status).toBe(204)
    await eventually(
      async () => (await head(id)) ?? null,
      (found) => found === null,
    )
  })
}
