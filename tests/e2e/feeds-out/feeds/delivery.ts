import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../../platform/random.ts'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { ended } from '../../../clients/device.ts'

/** What devices download, as `curl` does it, against what the platform says of its entities. */
export function delivery(shared: Shared): void {
  const { folder, platform } = shared
  const SELECTOR = { types: ['ip'], reputation: { lte: -1 } }
  const random = seededRandom(Number(process.env.HARRIER_CHAOS_SEED ?? 1))
  const below = (n: number): number => Math.floor(random() * n)

  let feed: string
  let token: string
  beforeAll(async () => {
    feed = (await platform.ask('/api/feeds/v1/feeds', { name: 'bad', selector: SELECTOR, guard: null })).body.id
    token = (await platform.ask(`/api/feeds/v1/feeds/${feed}/tokens`, { name: 'curl', days: 1 })).body.token
  })

  const itemsUrl = (format: string): string => `${platform.url}/api/feeds/v1/t/${token}/items.${format}`
  const path = (name: string): string => join(folder, name)

  /** curl with these arguments; its output. A status of 400 and more is a failure. */
  async function curl(...args: string[]): Promise<string> {
    const { ok, out } = await ended('curl', ['--silent', '--show-error', '--fail', ...args])
    if (!ok) throw new Error(out)
    return out
  }

  async function burst(n: number): Promise<void> {
    const reports = Array.from({ length: n }, () => ({
      type: 'ip',
      attributes: { ip: `203.0.113.${below(200)}` },
      reputation: below(7) - 3,
      tags: below(2) === 0 ? [] : [`t${below(5)}`],
    }))
    for (let i = 0; i < n; i += 20)
      await Promise.all(
        reports.slice(i, i + 20).map(async (body) => {
          expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
        }),
      )
  }

  type Shown = { id: string; value: string; reputation: number; accuracy: number; tags: string[] }
  const shown = ({ id, value, reputation, accuracy, tags }: Shown): string =>
    JSON.stringify([id, value, reputation, accuracy, [...tags].sort()])

  /** What a search by the selector finds. */
  async function searched(): Promise<string[]> {
    const query = { filter: [{ term: { type: 'ip' } }, { range: { reputation: { lte: -1 } } }] }
    const { body } = await platform.ask('/api/search/v1/entities/advanced?limit=1000', { query })
    return (body.results ?? [])
      .map((r: Shown & { attributes: { ip: string } }) => shown({ ...r, value: r.attributes.ip }))
      .sort()
  }

  const listed = async (): Promise<string[]> =>
    (await curl(itemsUrl('ndjson')))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => shown(JSON.parse(line)))

  /** Ends when the list has everything that was reported: from then on it stays as it is. */
  async function allListed(): Promise<void> {
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    await eventually(
      async () => [(await searched()).join('\n'), (await listed()).sort().join('\n')],
      ([search, list]) => search === list,
    )
  }

  /** What a mirror has that began with a list and goes on with deltas. */
  class Mirror {
    readonly items = new Map<string, string>()
    sequence = 0
    cursor = ''

    async begin(): Promise<void> {
      const headers = path('headers')
      const text = await curl('--dump-header', headers, itemsUrl('ndjson'))
      for (const line of text.split('\n').filter(Boolean)) this.items.set(JSON.parse(line).id, shown(JSON.parse(line)))
      const found = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(readFileSync(headers, 'utf8'))![1]!
      this.cursor = found('x-feed-cursor')
      this.sequence = Number(found('x-feed-sequence'))
    }

    async follow(): Promise<void> {
      for (let more = true; more; ) {
        const page = JSON.parse(
          await curl(`${platform.url}/api/feeds/v1/t/${token}/delta?limit=50&from=${this.cursor}`),
        )
        for (const { seq, op, ...item } of page.items) {
          expect(seq).toBe(this.sequence + 1)
          this.sequence = seq
          expect(this.items.has(item.id)).toBe(op !== 'add')
          if (op === 'remove') this.items.delete(item.id)
          else this.items.set(item.id, shown(item))
        }
        this.cursor = page.cursor
        more = page.more
      }
    }
  }

  test('list, mirror and search are the same after each burst of reports, also across a restart', async () => {
    await eventually(
      async () => (await platform.ask(`/api/feeds/v1/feeds/${feed}`)).body.state,
      (state) => state === 'live',
    )
    const mirror = new Mirror()
    await mirror.begin()
    for (let round = 0; round < 4; round++) {
      await burst(120)
      if (round === 2) {
        await platform.kill()
        await shared.start()
      }
      await eventually(
        () => lag(platform.url),
        (left) => left === 0,
      )
      const all = await eventually(
        async () => {
          await mirror.follow()
          return [[...mirror.items.values()].sort(), await searched(), (await listed()).sort()].map((one) =>
            one.join('\n'),
          )
        },
        ([mirrored, search, list]) => mirrored === search && search === list,
      )
      expect(all[0]).not.toBe('')
    }
  })

  test('a preview of the selector says what the list has', async () => {
    const preview = (body: object) => platform.ask('/api/search/v1/entities/selector', body)
    const { status, body } = await preview({ selector: SELECTOR, limit: 1000 })
    expect([status, body.items]).toEqual([200, body.results.length])
    expect(body.results.map(({ id }: { id: string }) => id).sort()).toEqual(
      (await listed()).map((line) => JSON.parse(line)[0]).sort(),
    )
    expect((await preview({ selector: SELECTOR })).body.results).toHaveLength(10)
    expect((await preview({ selector: { types: ['ip'], tags: { any: ['nobody has it'] } } })).body).toEqual({
      items: 0,
      results: [],
    })
    const refused = await preview({ selector: { reputation: {} } })
    expect([refused.status, refused.body.error.param]).toEqual([400, 'selector.reputation'])
  })

  test('curl keeps its copy while nothing changes, goes on with half a file, and unpacks what is packed', async () => {
    const [copy, tag] = [path('list.csv'), path('etag')]
    const keep = ['--etag-compare', tag, '--etag-save', tag, '--output', copy, '--write-out', '%{http_code}']
    expect(await curl(...keep, itemsUrl('csv'))).toBe('200')
    const whole = readFileSync(copy, 'utf8')
    expect(await curl(...keep, itemsUrl('csv'))).toBe('304')
    await burst(40)
    await allListed()
    expect(await curl(...keep, itemsUrl('csv'))).toBe('200')
    const last = readFileSync(copy, 'utf8')
    expect(last).not.toBe(whole)
    rmSync(copy)
    await curl('--range', '0-99', '--output', copy, itemsUrl('csv'))
    await curl('--continue-at', '-', '--output', copy, itemsUrl('csv'))
    expect(readFileSync(copy, 'utf8')).toBe(last)
    expect(
      await curl('--compressed', '--user', `anyone:${token}`, itemsUrl('csv').replace(`t/${token}`, `feeds/${feed}`)),
    ).toBe(last)
  })

  test('a preview as a reader of some groups has what a feed of these groups would list, and refuses groups of others', async () => {
    const blue = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
    const ask = (path: string, body?: object) => platform.ask(path, body, blue.headers)
    const selector = { value: { in: ['203.0.114.1', '203.0.114.2'] } }
    const tell = (ip: string, group: string) =>
      ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip }, reputation: -3, visibleBy: [group] })
    expect((await tell('203.0.114.1', 'public')).status).toBe(202)
    expect((await tell('203.0.114.2', 'blue')).status).toBe(202)
    const seen = (groups?: string[]) => ask('/api/search/v1/entities/selector', { selector, groups })
    await eventually(
      () => seen(),
      ({ body }) => body.items === 2,
    )
    expect((await seen(['blue'])).body.items).toBe(2)
    expect(
      (await seen(['public'])).body.results.map((one: { attributes: { ip: string } }) => one.attributes.ip),
    ).toEqual(['203.0.114.1'])
    const refused = await seen(['public', 'red'])
    expect([refused.status, refused.body.error.param]).toEqual([403, 'groups[1]'])
    const anonymous = await platform.ask('/api/search/v1/entities/selector', { selector, groups: ['public'] }, null)
    expect(anonymous.body.items).toBe(1)
    expect((await platform.ask('/api/search/v1/entities/selector', { selector, groups: ['blue'] }, null)).status).toBe(
      403,
    )

    const made = (await ask('/api/feeds/v1/feeds', { name: 'public alone', selector, groups: ['public'] })).body
    await eventually(
      async () => (await ask(`/api/feeds/v1/feeds/${made.id}`)).body,
      ({ state, items }) => state === 'live' && items === 1,
    )
  })
}
