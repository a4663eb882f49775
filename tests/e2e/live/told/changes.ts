import { EventSource } from 'eventsource'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** The stream of changes, read by the package `eventsource` as a browser does, and line by line. */
export function changes(shared: Shared): void {
  const { platform } = shared
  const PATH = '/api/live/v1/changes'
  let blue: User
  let reporter: User
  const open: { close(): void }[] = []

  beforeAll(async () => {
    blue = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
    reporter = await newUserOf(platform, { roles: ['reporter'], groups: [] })
  }, 180_000)
  afterEach(() => {
    for (const one of open.splice(0)) one.close()
  })

  type Follower = {
    events: ChangeEvent[]
    ids: string[]
    /** Names of everything that was told, in order. */
    names: string[]
    /** Status of the last refusal. */
    refused(): number | undefined
    close(): void
  }

  const NAMES = ['change', 'heartbeat', 'caught-up', 'lagging']

  /** Follows, once the place of a stream before it is free: a reader without a customer has one. */
  const follow = (query = '', headers: Record<string, string> = {}): Promise<Follower> =>
    eventually(
      async () => {
        const follower = source(query, headers)
        await until(() => follower.names.length > 0 || follower.refused() !== undefined, Boolean)
        return follower
      },
      (follower) => follower.refused() !== 429,
    )

  function source(query: string, headers: Record<string, string>): Follower {
    let refused: number | undefined
    const events = new EventSource(platform.url + PATH + query, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    })
    const follower: Follower = { events: [], ids: [], names: [], refused: () => refused, close: () => events.close() }
    for (const name of NAMES)
      events.addEventListener(name, ({ data, lastEventId }) => {
        follower.names.push(name)
        if (name !== 'change') return
        follower.events.push(JSON.parse(data as string))
        follower.ids.push(lastEventId)
      })
    events.addEventListener('error', ({ code }) => {
      refused = code ?? refused
    })
    open.push(follower)
    return follower
  }

  async function report(value: string, given: object = {}, as: User['headers'] = reporter.headers): Promise<void> {
    const body = { type: 'domain', attributes: { domain: value }, reputation: -3, visibleBy: ['public'], ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body, as)).status).toBe(202)
  }

  const valuesOf = ({ events }: Follower): string[] => events.map(({ entity }) => entity.value)

  const until = <T>(look: () => T, is: (found: T) => boolean): Promise<T> => eventually(async () => look(), is)

  const caughtUp = (follower: Follower) =>
    until(
      () => follower.names,
      (names) => names.includes('caught-up'),
    )

  test('a report is told to whoever follows, as the entity is shown then', async () => {
    const follower = await follow()
    await caughtUp(follower)
    await report('a.example', { tags: ['botnet'] })
    const [event] = await until(
      () => follower.events,
      (all) => all.length === 1,
    )
    const { body } = await platform.ask(`/api/search/v1/entity/${event!.entity.id}`, undefined, null)
    expect(event).toMatchObject({
      kinds: ['created'],
      reason: 'reported',
      entity: {
        value: 'a.example',
        reputation: body.reputation,
        previousReputation: null,
        accuracy: body.accuracy,
        tags: body.tags,
        wellKnown: body.wellKnown,
        firstSeen: body['@timestamp'],
        lastSeen: body.lastSeen,
      },
    })
  })

  test('what is hidden is told to its readers alone, and a relation once, at its naming end', async () => {
    const anyone = await follow()
    const member = await follow('', blue.headers)
    await Promise.all([caughtUp(anyone), caughtUp(member)])
    await report('hidden.example', { visibleBy: ['blue'] }, blue.headers)
    const link = { associations: [{ mode: 'association', type: 'ip', attributes: { ip: '203.0.113.9' } }] }
    await report('linked.example', link)
    await report('linked.example', link)
    await report('end.example')
    await until(
      () => valuesOf(member),
      (all) => all.includes('end.example'),
    )
    await until(
      () => valuesOf(anyone),
      (all) => all.includes('end.example'),
    )
    expect(valuesOf(anyone)).not.toContain('hidden.example')
    expect(valuesOf(member)).toContain('hidden.example')
    const linked = anyone.events.filter(({ link: told }) => told !== undefined)
    expect(linked.map(({ kinds, entity, link: told }) => [kinds, entity.value, told!.mode])).toEqual([
      [['created', 'linked'], 'linked.example', 'association'],
    ])
  })

  test('who comes back with the id of an event is told what it missed, and no more', async () => {
    const first = await follow()
    await caughtUp(first)
    await report('one.example')
    await until(
      () => first.events,
      (all) => all.length === 1,
    )
    first.close()
    await report('two.example')
    await report('two.example', { reputation: 1 })
    const rest = await follow(`?since=${first.ids[0]}`)
    await until(
      () => valuesOf(rest),
      (all) => all.length === 2,
    )
    expect(valuesOf(rest)).toEqual(['two.example', 'two.example'])
    rest.close()
    const header = await follow('', { 'last-event-id': rest.ids[0]! })
    await caughtUp(header)
    expect(header.events.map(({ id }) => id)).toEqual([rest.events[1]!.id])
    header.close()
    const time = await follow(`?since=${Date.now() - 3_600_000}`)
    await until(
      () => valuesOf(time),
      (all) => all.filter((value) => value === 'two.example').length === 2,
    )
  })

  test('lines of JSON say the same as events, and a selector what enters, stays and leaves', async () => {
    const selector = encodeURIComponent(JSON.stringify({ types: ['domain'], reputation: { lte: -1 } }))
    const headers = { accept: 'application/x-ndjson' }
    const leaving = new AbortController()
    open.push({ close: () => leaving.abort() })
    const answer = await eventually(
      () => fetch(`${platform.url}${PATH}?selector=${selector}`, { headers, signal: leaving.signal }),
      ({ status }) => status === 200,
    )
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
    const lines: { event: string; cursor: string; data: ChangeEvent }[] = []
    void readLines(answer, lines).catch(() => undefined)
    await until(
      () => lines,
      ([line]) => line?.event === 'caught-up',
    )
    await report('s.example')
    await report('s.example', { tags: ['x'] })
    await report('s.example', { reputation: 3 }, blue.headers)
    await report('t.example', { reputation: 2 })
    await report('u.example')
    await until(
      () => lines,
      (all) => all.some(({ data }) => data.entity?.value === 'u.example'),
    )
    const told = lines.filter(({ event }) => event === 'change').map(({ data }) => [data.entity.value, data.match])
    expect(told.filter(([value]) => value === 's.example').length).toBeGreaterThanOrEqual(2)
    expect(told).not.toContainEqual(['t.example', expect.anything()])
    const left = lines.filter(({ data }) => data.match === false).map(({ data }) => data.entity)
    for (const { value, reputation } of left) expect([value, reputation >= 0]).toEqual(['s.example', true])
  })

  async function readLines(answer: Response, lines: unknown[]): Promise<void> {
    let rest = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + piece).split('\n')
      rest = parts.pop()!
      lines.push(...parts.map((line) => JSON.parse(line)))
    }
  }

  test('rights that end take effect within seconds', async () => {
    const user = await newUserOf(platform, { roles: ['reporter'], groups: ['green'] })
    const follower = await follow('', user.headers)
    await caughtUp(follower)
    await report('green.example', { visibleBy: ['green'] }, user.headers)
    await until(
      () => valuesOf(follower),
      (all) => all.includes('green.example'),
    )
    const disabled = await fetch(`${platform.url}/auth/v2/admin/user/${user.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
      body: JSON.stringify({ disabled: true }),
    })
    expect(disabled.status).toBe(200)
    await until(
      () => follower.refused(),
      (status) => status === 401,
    )
  })

  test('anonymous readers have one stream of an address, and one more when it ends', async () => {
    const first = await follow()
    await caughtUp(first)
    const second = await fetch(platform.url + PATH)
    expect(second.status).toBe(429)
    expect((await second.json()) as object).toMatchObject({ error: { code: 'rate_limited' } })
    expect(second.headers.get('ratelimit-limit')).toBeNull()
    expect(second.headers.get('retry-after')).toBe('10')
    first.close()
    await eventually(
      async () => {
        const again = new AbortController()
        const { status } = await fetch(platform.url + PATH, { signal: again.signal })
        again.abort()
        return status
      },
      (status) => status === 200,
    )
  })

  test.each([
    ['?kinds=seen', 400, 'kinds'],
    ['?selector=%7B', 400, 'selector'],
    ['?selector=%7B%7D&tags=a', 400, 'tags'],
    ['?reputationAtMost=4', 400, 'reputationAtMost'],
    ['?since=tomorrow', 400, 'since'],
    [`?since=${Date.now() + 86_400_000}`, 400, 'since'],
    [`?since=${Date.now() - 8 * 86_400_000}`, 410, undefined],
    [`?since=${'A'.repeat(60)}`, 400, 'since'],
    ['?unknown=1', 400, 'unknown'],
  ])('%s is refused with %i', async (query, status, param) => {
    const { status: found, body } = await platform.ask(PATH + query, undefined, null)
    expect([found, body.error.param]).toEqual([status, param])
  })

  test('a cursor is not for another caller, and not beside Last-Event-ID', async () => {
    const follower = await follow('', blue.headers)
    await caughtUp(follower)
    await report('mine.example')
    await until(
      () => follower.ids,
      (ids) => ids.length > 0,
    )
    const since = `?since=${follower.ids[0]}`
    expect((await platform.ask(PATH + since, undefined, null)).body.error.code).toBe('bad_cursor')
    const both = await platform.ask(PATH + since, undefined, { ...blue.headers, 'last-event-id': follower.ids[0]! })
    expect([both.status, both.body.error.param]).toEqual([400, 'since'])
  })
}
