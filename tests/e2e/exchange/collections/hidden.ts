import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/**
 * What a group reports changes nothing that others are given by the exchange, not a byte, a date or a version
 * (decisions 11.3, 15.2).
 */
export function hidden(shared: Shared): void {
  const { platform } = shared
  const ROOT = '/taxii2/harrier/collections/'

  let blue: User
  let red: User
  /** Of both groups: one source that tells each of them something. */
  let both: User

  beforeAll(async () => {
    const roles = ['user', 'reporter', 'trusted']
    ;[blue, red, both] = (await Promise.all(
      [['blue'], ['red'], ['blue', 'red']].map((groups) => newUserOf(platform, { roles, groups })),
    )) as [User, User, User]
  })

  type Object_ = { id: string; type: string; name?: string; valid_until?: string; last_seen?: string }
  type Reader = { name: string; headers: Record<string, string> }

  async function report(who: User, value: string, given: object = {}): Promise<void> {
    const body = { type: 'ip', attributes: { ip: value }, reputation: -3, ...given }
    const { status } = await platform.ask('/api/ingest/v1/entity', body, who.headers)
    expect([value, status]).toEqual([value, 202])
    // Of two reports of one millisecond the list says which was first by their ids alone.
    await sleep(2)
  }

  const related = (type: string, value: string) => ({ mode: 'association', type, attributes: { [type]: value } })

  /** What everybody and the group blue may read of a network. */
  async function visible(network: string, tag: string): Promise<void> {
    const tags = [tag]
    for (let n = 1; n <= 6; n++)
      await report(n % 2 === 0 ? blue : both, `${network}.${n}`, {
        tags,
        reputation: n % 3 === 0 ? -2 : -3,
        visibleBy: [n % 2 === 0 ? 'blue' : 'public'],
        ...(n === 1 && { associations: [related('domain', `${tag}.example.com`)] }),
      })
  }

  /** What the group red alone may read of the same network. */
  async function hidden(network: string, tag: string): Promise<void> {
    const [tags, visibleBy] = [[tag, 'hidden-tag'], ['red']]
    for (let n = 1; n <= 6; n++) {
      await report(red, `${network}.${n}`, { tags, visibleBy, reputation: [3, -1, 0, -3, 2, 1][n - 1] })
      const attributes = { ip: `${network}.${n}`, text: 'hidden word' }
      const associations = [related('domain', `${tag}.example.com`), related('malware', `hidden-${tag}`)]
      // The same claim as the one that others read, of the same source.
      await report(both, `${network}.${n}`, { tags, visibleBy, attributes, associations })
    }
    for (let n = 100; n < 104; n++) await report(red, `${network}.${n}`, { tags, visibleBy })
  }

  async function newFeed(who: User, tag: string, groups: string[], given: object = {}): Promise<string> {
    const selector = { types: ['ip', 'domain', 'malware'], tags: { any: [tag] }, reputation: { lte: -1 } }
    const made = await platform.ask(
      '/api/feeds/v1/feeds',
      { name: 'feed', selector, groups, guard: null, ...given },
      who.headers,
    )
    expect(made.status).toBe(201)
    return made.body.id
  }

  const HEADERS = ['x-taxii-date-added-first', 'x-taxii-date-added-last', 'content-type', 'content-length', 'etag']

  /** An answer, without what is of the request alone: ids of errors, and the word of the next page, which is sealed anew each time. */
  async function answer(path: string, { headers }: Reader): Promise<{ text: string; objects: Object_[] }> {
    const response = await fetch(`${platform.url}${path}`, { headers })
    const body = await response.text()
    const text = body.replaceAll(/"(next|error_id)":"[^"]*"/g, '"$1":""')
    const told = HEADERS.map((name) => `${name}: ${response.headers.get(name)}`)
    const { objects = [] } = response.ok ? JSON.parse(body) : {}
    return { text: [path, response.status, ...told, text].join('\n'), objects }
  }

  /** All that a reader is given of a collection, and of the entities of a network. */
  async function given(feed: string, network: string, reader: Reader): Promise<string[]> {
    const of = (path: string) => answer(`${ROOT}${path}`, reader)
    const whole = await of(`${feed}/objects/?match[version]=all`)
    const first = whole.objects[0]
    const asked = [
      of(''),
      of(`${feed}/`),
      of(`${feed}/objects/`),
      of(`${feed}/objects/?limit=5`),
      of(`${feed}/objects/?match[type]=indicator&match[version]=first`),
      of(`${feed}/manifest/?match[version]=all`),
      of(`${feed}/manifest/?limit=3`),
      ...[...Map.groupBy(whole.objects, ({ type }) => type).values()].map(([one]) =>
        of(`${feed}/objects/${one!.id}/versions/`),
      ),
      ...(first === undefined ? [] : [of(`${feed}/objects/${first.id}/`)]),
      ...[1, 2, 3, 100].map((n) => answer(`/api/search/v1/entity/${entityId('ip', `${network}.${n}`)}.stix`, reader)),
      answer(`/api/search/v1/entity/${entityId('malware', 'hidden-before')}.stix`, reader),
    ]
    return [whole.text, ...(await Promise.all(asked)).map(({ text }) => text)]
  }

  async function applied(): Promise<void> {
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
      60_000,
    )
  }

  const readers = (): Reader[] => [
    { name: 'blue', headers: blue.headers },
    { name: 'nobody', headers: {} },
  ]

  const indicators = async (feed: string, reader: Reader): Promise<Object_[]> =>
    (await answer(`${ROOT}${feed}/objects/?match[type]=indicator`, reader)).objects

  test('what a group reports later changes no byte of what others are given', async () => {
    const network = '11.98.7'
    await visible(network, 'before')
    const [own, open, theirs] = [
      await newFeed(blue, 'before', ['public', 'blue']),
      await newFeed(blue, 'before', ['public'], { open: true }),
      await newFeed(red, 'before', ['public', 'red']),
    ]
    const [reader] = readers() as [Reader, Reader]
    await eventually(
      () => indicators(own, reader),
      (found) => found.length === 6,
    )
    await eventually(
      () => indicators(open, reader),
      (found) => found.length === 3,
    )
    await applied()
    const all = async () =>
      Promise.all([own, open].flatMap((feed) => readers().map((one) => given(feed, network, one))))
    const before = await all()
    expect(before[0]!.length).toBeGreaterThan(15)
    expect(before[0]!.join('\n')).toContain('TLP:AMBER')

    await hidden(network, 'before')
    await eventually(
      () => indicators(theirs, { name: 'red', headers: red.headers }),
      (found) => found.length >= 4,
      60_000,
    )
    const mine = await newFeed(red, 'hidden-tag', ['red'])
    await eventually(
      () => indicators(mine, { name: 'red', headers: red.headers }),
      (found) => found.length >= 4,
      60_000,
    )
    await applied()
    // What the API remembers of a reader, and two looks of the job.
    await sleep(3_000)
    expect(await all()).toEqual(before)
    const deleted = await fetch(`${platform.url}/api/feeds/v1/feeds/${mine}`, {
      method: 'DELETE',
      headers: red.headers,
    })
    expect(deleted.status).toBe(204)
    expect(await all()).toEqual(before)
    // Nor do later parts find one that is open to everybody.
    const closed = { method: 'DELETE', headers: blue.headers }
    expect((await fetch(`${platform.url}/api/feeds/v1/feeds/${open}`, closed)).status).toBe(204)
  }, 200_000)

  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g

  /** What is left without ids, dates and the names that the two differ in, in an order of its own. */
  const bare = (texts: readonly string[], network: string, tag: string): string[] =>
    texts
      .flatMap((text) => text.split(/(?<=[}\]]),(?=\{)/))
      .map((text) =>
        text
          .replaceAll(UUID, 'id')
          .replaceAll(DATE, 'date')
          .replaceAll(/ip-[0-9a-f]{64}/g, 'ip')
          .replaceAll(/content-length: \d+/g, '')
          .replaceAll(network, 'network')
          .replaceAll(tag, 'tag'),
      )
      .sort()

  test('a list that is made after hidden reports is that of a platform without them, but for ids and dates', async () => {
    const places = [
      { network: '203.0.113', tag: 'with' },
      { network: '192.0.2', tag: 'sans' },
    ]
    await hidden('203.0.113', 'with')
    await applied()
    const [reader] = readers() as [Reader, Reader]
    const found: { texts: string[]; stays: number[] }[] = []
    for (const { network, tag } of places) {
      await visible(network, tag)
      await applied()
      const feed = await newFeed(blue, tag, ['public', 'blue'])
      const list = await eventually(
        () => indicators(feed, reader),
        (all) => all.length === 6,
      )
      await applied()
      const { objects } = await answer(`${ROOT}${feed}/objects/`, reader)
      const seen = objects.flatMap(({ type, last_seen }) => (type === 'sighting' ? [Date.parse(last_seen!)] : []))
      const stays = list.map(({ valid_until }, n) => Math.round((Date.parse(valid_until!) - seen[n]!) / 1_000))
      // The list of collections has the feeds of both.
      const texts = (await Promise.all(readers().map((one) => given(feed, network, one)))).flatMap((all) =>
        all.toSpliced(1, 1),
      )
      found.push({ texts: bare(texts, network, tag), stays: stays.sort() })
    }
    const [withThem, without] = found
    expect(withThem!.texts.length).toBeGreaterThan(100)
    expect(withThem).toEqual(without)
    expect(withThem!.texts.join('\n')).not.toContain('hidden word')
  }, 200_000)
}
