import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { sendBulk } from '../../builders/api/bulk-platform.ts'
import { linesOf, type RunningEdge, startEdge } from '../../builders/edge/running-edge.ts'
import { HOSTILE_VALUES } from '../../builders/feeds/hostile-items.ts'
import { freePort } from '../../builders/network/free-port.ts'
import { commandWith } from '../../builders/platform/command.ts'
import { lag } from '../../builders/platform/lag.ts'
import { longer } from '../../builders/platform/longer.ts'
import { ADMINISTRATOR, eventually } from '../../builders/platform/platform.ts'
import { onOnePlatform, type Shared } from '../../builders/platform/shared.ts'

/** An edge beside a platform: what it says over all protocols, through ends of both (decisions 19). */

const LONG_MS = 300_000
const ENVIRONMENT = {
  HARRIER_API_KEY: ADMINISTRATOR['api-key'],
  HARRIER_API_SECRET: ADMINISTRATOR['api-secret'],
}
const SELECTOR = { tags: { all: ['r4'] }, reputation: { lte: 1 } }
/** A long run: HARRIER_CHAOS_ROUNDS=50. */
const ROUNDS = Number(process.env.HARRIER_CHAOS_ROUNDS ?? longer(4))
const NAMES = Array.from({ length: 200 }, (_, i) => `bad${i}.edge-r4.example`)
const ADDRESSES = Array.from({ length: 50 }, (_, i) => `198.51.100.${i}`)

function edges(shared: Shared): void {
  const { folder, platform } = shared
  let feed: string
  let count = 0
  const running: RunningEdge[] = []
  afterEach(async () => {
    for (const edge of running.splice(0)) await edge.kill()
  })

  const reports = (values: readonly string[], type: string, given: object = {}) =>
    values.map((value) =>
      JSON.stringify({ type, attributes: { [type]: value }, reputation: -3, tags: ['r4'], ...given }),
    )

  async function send(lines: readonly string[]): Promise<void> {
    const { status } = await sendBulk(platform.url, lines.join('\n'), ADMINISTRATOR)
    expect(status).toBe(200)
  }

  beforeAll(async () => {
    await send([
      ...reports(NAMES, 'domain'),
      ...reports(ADDRESSES, 'ip'),
      ...reports(['203.0.113.0/24', '2001:db8:4::/48'], 'cidr', { reputation: -2 }),
      ...reports(['github.io'], 'domain'),
      ...reports(HOSTILE_VALUES, 'filename'),
      ...reports(HOSTILE_VALUES, 'username', { reputation: 1 }),
    ])
    const made = await platform.ask('/api/feeds/v1/feeds', {
      name: 'r4',
      selector: SELECTOR,
      guard: null,
    })
    feed = made.body.id
    await eventually(
      () => platform.ask(`/api/feeds/v1/feeds/${feed}`),
      ({ body }) => body.state === 'live' && body.items > NAMES.length,
    )
  }, LONG_MS)

  /** An edge on a folder of its own, or on that of one before. */
  async function start(given: { folder?: string; maxAge?: string } = {}) {
    const place = given.folder ?? join(folder, `edge-${count++}`)
    mkdirSync(place, { recursive: true })
    const edge = await startEdge({ url: platform.url, feed, ...given, folder: place })
    running.push(edge)
    return Object.assign(edge, { place })
  }

  const equal = async (place: string) =>
    commandWith(
      { ...ENVIRONMENT, HARRIER_URL: platform.url },
      ...['edge', 'verify', '--feed', feed, '--data', join(place, 'edge'), '--json'],
    )

  const listed = (edge: RunningEdge, value: string) =>
    eventually(
      () => edge.says(value),
      (said) => said === 'listed',
    )

  test(
    'all protocols and the file say what the list has, and what is below it',
    async () => {
      const edge = await start()
      await listed(edge, NAMES[0]!)
      expect(await edge.says(`a.b.${NAMES[1]}`)).toBe('listed')
      expect(await edge.says('198.51.100.7', '7.100.51.198')).toBe('listed')
      expect(await edge.says('203.0.113.200', '200.113.0.203')).toBe('listed')
      expect(await edge.says('203.0.114.1', '1.114.0.203')).toBe('not')
      expect(await edge.says('github.io')).toBe('listed')
      expect(await edge.says('somebody.github.io')).toBe('not')
      expect(await edge.says('clean-r4.example')).toBe('not')
      await eventually(
        async () => linesOf(edge),
        (lines) => lines.includes(NAMES[0]!),
      )
      const { code, stdout } = await equal(edge.place)
      expect([code, JSON.parse(stdout).differences]).toEqual([0, []])
    },
    LONG_MS,
  )

  test(
    'each value is answered as a reputation is, over the items of the list',
    async () => {
      const edge = await start()
      await listed(edge, NAMES[0]!)
      const hostile = HOSTILE_VALUES.filter((value) => value.isWellFormed() && Buffer.byteLength(value) <= 2_048)
      const values = [...NAMES, ...ADDRESSES, ...hostile, 'x.github.io', '203.0.113.0/25', 'mail@bad1.edge-r4.example']
      const headers = { 'content-type': 'application/json', ...ADMINISTRATOR }
      const ask = async (url: string) =>
        (
          (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ values }) })).json()) as {
            items: object[]
          }
        ).items
      const [said, should] = [
        await ask(`http://127.0.0.1:${edge.ports.http}/v1`),
        (await ask(`${platform.url}/api/search/v1/reputation`)) as {
          value: string
          known: boolean
          id?: string
          type?: string
          reputation: number
          accuracy: number
          tags: string[]
          by?: object
        }[],
      ]
      const expected = should.map(({ value, known, id, type, reputation, accuracy, tags, by }) =>
        known || by !== undefined
          ? { value, listed: true, ...(known && { id, type }), reputation, accuracy, tags, ...(by && { by }) }
          : { value, listed: false },
      )
      expect(said).toEqual(expected)
    },
    LONG_MS,
  )

  test(
    'a removal is told by every protocol and the file',
    async () => {
      const edge = await start()
      const value = 'gone.edge-r4.example'
      await send(reports([value], 'domain'))
      await listed(edge, value)
      await eventually(
        async () => linesOf(edge),
        (lines) => lines.includes(value),
      )
      // Who said that it is bad takes it back.
      await send(reports([value], 'domain', { reputation: 3 }))
      await eventually(
        () => edge.says(value),
        (said) => said === 'not',
      )
      await eventually(
        async () => linesOf(edge),
        (lines) => !lines.includes(value),
      )
    },
    LONG_MS,
  )

  test(
    'without the platform it goes on, ages, and then says that it does not know',
    async () => {
      const first = await start({ maxAge: '4s' })
      await listed(first, NAMES[0]!)
      await eventually(
        async () => linesOf(first),
        (lines) => lines.includes(NAMES[0]!),
      )
      await platform.stop()
      expect(await first.says(NAMES[0]!)).toBe('listed')
      await eventually(
        () => first.says(NAMES[0]!),
        (said) => said === 'stale',
      )
      expect(await first.says('clean-r4.example')).toBe('stale')
      expect(linesOf(first)).toContain(NAMES[0])
      expect((await fetch(`http://127.0.0.1:${first.ports.http}/healthz`)).status).toBe(503)
      expect(await first.metric('stale')).toBe(1)
      expect(await first.stop()).toBe(0)
      // The age goes on over a restart; a list that may be older answers again.
      const again = await start({ folder: first.place, maxAge: '4s' })
      expect(await again.says(NAMES[0]!)).toBe('stale')
      await again.stop()
      const patient = await start({ folder: first.place, maxAge: '1h' })
      expect(await patient.says(NAMES[0]!)).toBe('listed')
      expect(await patient.metric('age_seconds')).toBeGreaterThan(4)
      await shared.start()
      await eventually(
        () => patient.metric('age_seconds'),
        (age) => age < 3,
      )
      expect(await patient.stop()).toBe(0)
    },
    LONG_MS,
  )

  test(
    'edge and platform are killed at any moment of a load: then edge, feed and search say the same, over all protocols',
    async () => {
      let edge = await start()
      for (let round = 0; round < ROUNDS; round++) {
        const bad = Array.from({ length: 150 }, (_, i) => `r${round}-${i}.kill-r4.example`)
        const cleared = bad.filter((_, i) => i % 3 === 0)
        await send(reports(bad, 'domain'))
        const sending = send(reports(cleared, 'domain', { reputation: 3 })).catch(() => undefined)
        await sleep(Math.random() * 1_500)
        const both = [() => edge.kill(), () => shared.platform.kill()]
        const struck = round % 3 === 0 ? both : [both[round % 2]!]
        await Promise.all(struck.map((strike) => strike()))
        await sending
        if (struck.includes(both[1]!)) await shared.start()
        if (struck.includes(both[0]!)) edge = await start({ folder: edge.place })
        // Not acknowledged, perhaps.
        await send(reports(cleared, 'domain', { reputation: 3 }))
        await eventually(
          () => lag(platform.url),
          (left) => left === 0,
        )
        const says = (value: string) => edge.says(value)
        await eventually(
          () => says(cleared.at(-1)!),
          (said) => said === 'not',
        )
        await eventually(
          () => says(bad.at(-1)!),
          (said) => said === 'listed',
        )
        const { code, stdout, stderr } = await equal(edge.place)
        expect([round, code, stderr, JSON.parse(stdout || '{}').differences]).toEqual([round, 0, '', []])
        const found = await platform.ask('/api/search/v1/entities/selector', { selector: SELECTOR, limit: 1 })
        expect(await edge.metric('items')).toBe(found.body.items)
        const told = await Promise.all(bad.slice(0, 30).map(says))
        expect(told).toEqual(bad.slice(0, 30).map((value) => (cleared.includes(value) ? 'not' : 'listed')))
      }
    },
    LONG_MS + ROUNDS * 30_000,
  )

  test(
    'what it may not do is refused with a word',
    async () => {
      const edge = await start()
      await listed(edge, NAMES[0]!)
      const run = (...args: string[]) => commandWith({ ...ENVIRONMENT, HARRIER_URL: platform.url }, 'edge', ...args)
      const at = ['--listen', 'http://127.0.0.1:0']
      const inUse = await run('--feed', feed, '--data', join(edge.place, 'edge'), ...at)
      expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('is in use by process')])
      const other = '01a22c67-0000-7000-8000-000000000000'
      await edge.stop()
      const foreign = await run('--feed', other, '--data', join(edge.place, 'edge'), ...at)
      expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining(`has the list of the feed ${feed}`)])
      const unknown = await run('--feed', other, '--data', join(folder, 'unknown'), ...at)
      expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('answers 404')])
      const token = join(folder, 'token')
      writeFileSync(token, 'hft_nobody\n')
      const wrong = await run('--feed', feed, '--data', join(folder, 'unknown-2'), '--token-file', token, ...at)
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('answers 401')])
      for (const typed of [
        ['--feed', 'x', ...at],
        ['--feed', feed],
        ['--feed', feed, '--listen', 'gopher://127.0.0.1:1'],
        ['--feed', feed, '--listen', 'http://0.0.0.0:1'],
        ['--feed', feed, '--listen', 'memcached://192.0.2.1:1', '--auth-file', token],
        ['--feed', feed, '--listen', 'dns://127.0.0.1:1/a..b'],
        ['--feed', feed, '--listen', 'file:nothing:/tmp/x'],
        ['--feed', feed, ...at, '--max-age', '1w'],
        ['--feed', feed, ...at, '--allow', '192.0.2.0/33'],
      ])
        expect([typed, (await run(...typed)).code]).toEqual([typed, 2])
    },
    LONG_MS,
  )
}

// An edge knows the platform by its address, which has to be the same after a start.
onOnePlatform({ 'an edge': edges }, async () => ({ PORT: String(await freePort()) }))
