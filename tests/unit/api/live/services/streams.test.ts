import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../../../../api/http/errors.ts'
import { EVENT_STREAM } from '../../../../../api/live/services/following/forms.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { changeEvent, tellable } from '../../../../../schemas/live/change-event.ts'
import { changesFrom, type Report, reports } from '../../../../builders/api/live/random-changes.ts'
import { changesOf, linesOf, type MemorySink, memorySink } from '../../../../builders/api/live/sink.ts'
import { memberOf, memoryStreams, SEALS } from '../../../../builders/api/live/streams.ts'
import { longer } from '../../../../builders/platform/longer.ts'

afterEach(() => {
  vi.useRealTimers()
})

const report = (given: Partial<Report> = {}): Report => ({
  value: 'a.example',
  audience: ['public'],
  reputation: -2,
  tags: [],
  source: 's1',
  links: [],
  ...given,
})

const idsOf = (sink: MemorySink): string[] => changesOf(sink).map(({ data }) => data.id)

/** Ids of everything that a reader of these groups is to be told, in the order of each partition. */
function shouldTell(changes: readonly Change[], groups: readonly string[]): string[][] {
  const reads = (audience: readonly string[]): boolean => audience.some((group) => groups.includes(group))
  const known = new Set<string>()
  const told: string[][] = [[], []]
  for (const change of changes) {
    const seen = viewChange(change, reads, BUILT_IN)
    if (seen === null || seen === 'wide') continue
    const fresh = seen.links.filter(({ mode, entityId }) => {
      const name = `${change.entityId} ${mode} ${entityId}`
      const isFresh = entityId !== change.entityId && !known.has(name)
      known.add(name)
      return isFresh
    })
    for (const one of tellable(seen, fresh))
      told[change.partition]!.push(changeEvent(SEALS, change, seen, one, null).id)
  }
  return told
}

/** Ids of each partition that are told, each where it came first. */
function inPartitions(ids: readonly string[], should: readonly string[][]): string[][] {
  const distinct = [...new Set(ids)]
  return should.map((all) => distinct.filter((id) => all.includes(id)))
}

describe('a stream', () => {
  test('tells what comes from now on, once, and that it has reached the end', async () => {
    const streams = memoryStreams()
    const changes = changesFrom([report(), report({ reputation: 1 }), report({ value: 'b.example' })])
    streams.append(changes.slice(0, 1))
    const sink = await streams.open()
    await vi.waitFor(() => expect(linesOf(sink).map(({ event }) => event)).toEqual(['caught-up']))
    streams.append(changes.slice(1))
    await vi.waitFor(() => expect(changesOf(sink)).toHaveLength(2))
    expect(changesOf(sink).map(({ data }) => data.kinds)).toEqual(expect.arrayContaining([['scored'], ['created']]))
  })

  test('lets others have their turn while it looks through what it does not tell', async () => {
    const streams = memoryStreams({ batch: 5_000, partitions: 1 })
    const filter = { tags: 'no-such-tag' }
    const [whole, early] = [await streams.open(), await streams.open({ filter })]
    await vi.waitFor(() => expect(linesOf(early)).toHaveLength(1))
    const since = { param: 'since', text: linesOf(early)[0]!.cursor! } as const
    early.leave()
    const looked = new Set<number>()
    const changes = changesFrom(Array.from({ length: 2_000 }, (_, i) => report({ value: `a${i}.example` })))
    const watched = changes.map((change, i) => {
      const { rows } = change
      const get = () => {
        looked.add(i)
        return rows
      }
      return Object.defineProperty({ ...change }, 'rows', { get })
    })
    streams.append(watched, () => 0)
    await vi.waitFor(() => expect(changesOf(whole)).toHaveLength(2_000))
    looked.clear()
    let [most, before, isOver] = [0, 0, false]
    const turn = () => {
      most = Math.max(most, looked.size - before)
      before = looked.size
      if (!isOver) setImmediate(turn)
    }
    turn()
    const late = await streams.open({ since, filter })
    await vi.waitFor(() => expect(linesOf(late).map(({ event }) => event)).toEqual(['caught-up']))
    isOver = true
    expect(looked.size).toBe(2_000)
    expect(most).toBeLessThanOrEqual(100)
  })

  test('goes on from any of its cursors without a gap, each event of a step with several too', async () => {
    const streams = memoryStreams()
    const changes = changesFrom([
      report({ links: ['b.example', 'c.example'] }),
      report({ reputation: 2 }),
      report({ value: 'b.example' }),
    ])
    const whole = await streams.open()
    streams.append(changes)
    await vi.waitFor(() => expect(changesOf(whole)).toHaveLength(4))
    const lines = changesOf(whole)
    for (const [i, { cursor }] of lines.entries()) {
      const rest = await streams.open({ since: { param: 'since', text: cursor } })
      await vi.waitFor(() => expect(linesOf(rest).some(({ event }) => event === 'caught-up')).toBe(true))
      const missed = lines.slice(i + 1).map(({ data }) => data.id)
      expect(idsOf(rest)).toEqual(expect.arrayContaining(missed))
      // The first event of a step with two relations is followed by the step again.
      expect(idsOf(rest).length).toBeLessThanOrEqual(missed.length + 1)
    }
  })

  test('with whatever is reported, however often it is cut off, tells a reader everything that changes its view, and nothing else', async () => {
    const play = fc.record({
      given: reports(40),
      groups: fc.constantFrom(['public'], ['blue', 'public'], ['public', 'red'], ['blue', 'public', 'red']),
      cuts: fc.infiniteStream(fc.nat({ max: 5 })),
    })
    await fc.assert(
      fc.asyncProperty(play, async ({ given, groups, cuts }) => {
        const streams = memoryStreams()
        const changes = changesFrom(given)
        const should = shouldTell(changes, groups)
        const ids: string[] = []
        let sink = await streams.open({ groups })
        let cursor: string | null = null
        for (const [i, change] of changes.entries()) {
          streams.append([change])
          if (cuts.next().value > 2) await new Promise(setImmediate)
          if (cuts.next().value > 0) continue
          sink.leave()
          ids.push(...idsOf(sink))
          cursor = linesOf(sink).at(-1)?.cursor ?? cursor
          // Nothing was read: it begins again from the first time on.
          const since = cursor === null ? null : { param: 'since' as const, text: cursor }
          if (since === null && i > 0) return
          sink = await streams.open({ groups, since })
        }
        const total = should.flat().length
        await vi.waitFor(() => expect(new Set([...ids, ...idsOf(sink)]).size).toBe(total), { timeout: 5_000 })
        expect(inPartitions([...ids, ...idsOf(sink)], should)).toEqual(should)
        expect(streams.failures).toEqual([])
        sink.leave()
        await vi.waitFor(() => expect(streams.hub.size()).toBe(0))
      }),
      { numRuns: longer(25) },
    )
  }, 120_000)

  test('does not tell again what a job that was killed sends again', async () => {
    const streams = memoryStreams()
    const changes = changesFrom([report(), report({ reputation: 0 }), report({ reputation: 2 })])
    const sink = await streams.open()
    streams.append([...changes, changes[0]!, changes[1]!])
    const last = changesFrom([report(), report({ reputation: 0 }), report({ reputation: 2 }), report({ tags: ['x'] })])
    streams.append(last.slice(3))
    await vi.waitFor(() => expect(changesOf(sink).at(-1)?.data.kinds).toContain('updated'))
    expect(changesOf(sink)).toHaveLength(4)
    const resumed = await streams.open({ since: { param: 'since', text: changesOf(sink)[2]!.cursor } })
    await vi.waitFor(() => expect(linesOf(resumed).some(({ event }) => event === 'caught-up')).toBe(true))
    expect(changesOf(resumed).map(({ data }) => data.kinds)).toEqual([['scored', 'updated']])
  })

  test('tells readers of other groups nothing of what they may not read', async () => {
    const streams = memoryStreams()
    const open = await streams.open()
    const blue = await streams.open({ groups: ['blue', 'public'] })
    streams.append(changesFrom([report({ audience: ['blue'] }), report({ value: 'b.example' })]))
    await vi.waitFor(() => expect(changesOf(blue)).toHaveLength(2))
    expect(changesOf(open).map(({ data }) => (data.entity as { value: string }).value)).toEqual(['b.example'])
  })

  test('of a client that does not read ends with its place, from which it goes on', async () => {
    const streams = memoryStreams()
    const sink = await streams.open()
    sink.read(false)
    const changes = changesFrom(
      Array.from({ length: 2_200 }, (_, i) =>
        report({ value: i % 2 === 0 ? 'a.example' : 'b.example', reputation: i % 3, tags: [`t${i % 7}`] }),
      ),
    )
    streams.append(changes)
    await vi.waitFor(() => expect(sink.ended()).toBe('ended'), { timeout: 60_000 })
    const lines = linesOf(sink)
    expect(lines.at(-1)).toMatchObject({ event: 'lagging', cursor: lines.at(-2)!.cursor })
    expect(sink.text().length).toBeLessThan(1.2 * 1024 * 1024)
    const rest = await streams.open({ since: { param: 'Last-Event-ID', text: lines.at(-1)!.cursor } })
    const all = shouldTell(changes, ['public']).flat()
    await vi.waitFor(() => expect(idsOf(sink).length + idsOf(rest).length).toBe(all.length), { timeout: 60_000 })
    expect(new Set([...idsOf(sink), ...idsOf(rest)]).size).toBe(all.length)
  }, 120_000)

  test('with the most unread lags first when all together have too much, and the others go on', async () => {
    const streams = memoryStreams({ mostUnread: 40_000 })
    const [slowest, slow, quick] = [await streams.open(), await streams.open(), await streams.open()]
    slowest.read(false)
    const changes = changesFrom(
      Array.from({ length: 120 }, (_, i) => report({ reputation: i % 3, tags: [`t${i % 7}`] })),
    )
    streams.append(changes.slice(0, 20))
    await vi.waitFor(() => expect(changesOf(slowest)).toHaveLength(20))
    slow.read(false)
    streams.append(changes.slice(20, 50))
    await vi.waitFor(() => expect(slowest.ended()).toBe('ended'))
    expect(slow.ended()).toBeNull()
    const lines = linesOf(slowest)
    expect(lines.at(-1)).toMatchObject({ event: 'lagging', cursor: lines.at(-2)!.cursor })
    slow.read(true)
    streams.append(changes.slice(50))
    await vi.waitFor(() => expect(changesOf(quick)).toHaveLength(120))
    await vi.waitFor(() => expect(changesOf(slow)).toHaveLength(120))
    const rest = await streams.open({ since: { param: 'since', text: lines.at(-1)!.cursor } })
    await vi.waitFor(() => expect([...idsOf(slowest), ...idsOf(rest)]).toEqual(idsOf(quick)))
  })

  test('that catches up waits for its client, and keeps little for it', async () => {
    const streams = memoryStreams()
    const first = await streams.open()
    await vi.waitFor(() => expect(linesOf(first)).toHaveLength(1))
    const { cursor } = linesOf(first)[0]!
    const changes = Array.from({ length: 1_000 }, (_, i) => report({ reputation: i % 3, tags: [`t${i % 7}`] }))
    streams.append(changesFrom(changes))
    await vi.waitFor(() => expect(changesOf(first)).toHaveLength(1_000), { timeout: 60_000 })
    first.leave()
    const sink = memorySink()
    sink.read(false)
    await streams.open({ since: { param: 'since', text: cursor }, sink })
    await vi.waitFor(() => expect(sink.buffered()).toBeGreaterThan(256 * 1024), { timeout: 60_000 })
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    expect(sink.buffered()).toBeLessThan(300 * 1024)
    expect(sink.ended()).toBeNull()
    sink.read(true)
    await vi.waitFor(() => expect(linesOf(sink).at(-1)?.event).toBe('caught-up'), { timeout: 60_000 })
    expect(streams.log.readings()).toBe(1)
  }, 120_000)

  test('ends when its credentials do not hold any more, and tells by other groups once they changed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const streams = memoryStreams()
    let user: Identity | 'ended' = memberOf(['blue', 'public'])
    const again = async (): Promise<Identity> => {
      if (user === 'ended') throw new ApiError('unauthorized')
      return user
    }
    const sink = await streams.open({ groups: ['blue', 'public'], again })
    user = memberOf(['public'])
    await vi.advanceTimersByTimeAsync(2_500)
    streams.append(changesFrom([report({ audience: ['blue'] }), report({ value: 'b.example' })]))
    await vi.waitFor(() => expect(changesOf(sink)).toHaveLength(1))
    user = 'ended'
    await vi.advanceTimersByTimeAsync(2_500)
    expect(sink.ended()).toBe('ended')
    expect(streams.hub.size()).toBe(0)
  })

  test('ends when nobody can say whether its rights hold', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const streams = memoryStreams()
    const sink = await streams.open({ again: () => Promise.reject(new Error('the store is away')) })
    await vi.advanceTimersByTimeAsync(4_000)
    expect(sink.ended()).toBeNull()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sink.ended()).toBe('ended')
  })

  test('says that it is alive, with a cursor, every 15 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const streams = memoryStreams()
    const sink = await streams.open()
    await vi.advanceTimersByTimeAsync(31_000)
    const beats = linesOf(sink).filter(({ event }) => event === 'heartbeat')
    expect(beats).toHaveLength(2)
    const rest = await streams.open({ since: { param: 'since', text: beats[0]!.cursor } })
    await vi.waitFor(() => expect(linesOf(rest).map(({ event }) => event)).toContain('caught-up'))
  })

  test('ends with all others when the log fails, and another one may follow', async () => {
    const streams = memoryStreams()
    const sink = await streams.open()
    streams.log.breakDown(new Error('the disk is full'))
    await vi.waitFor(() => expect(sink.ended()).toBe('ended'))
    expect(streams.failures).toEqual([new Error('the disk is full')])
    const next = await streams.open()
    streams.append(changesFrom([report()]))
    await vi.waitFor(() => expect(changesOf(next)).toHaveLength(1))
  })

  test('goes on from its last cursor after the log failed for all', async () => {
    const streams = memoryStreams()
    const sink = await streams.open()
    await vi.waitFor(() => expect(linesOf(sink)).toHaveLength(1))
    streams.log.breakDown(new Error('the disk is full'))
    await vi.waitFor(() => expect(sink.ended()).toBe('ended'))
    streams.append(changesFrom([report()]))
    const rest = await streams.open({ since: { param: 'since', text: linesOf(sink)[0]!.cursor } })
    await vi.waitFor(() => expect(linesOf(rest).map(({ event }) => event)).toEqual(['change', 'caught-up']))
  })

  test('waits for a history store that is away, and says meanwhile that it is alive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const streams = memoryStreams({ patienceMs: 60_000 })
    const sinks = [await streams.open(), await streams.open({ groups: ['blue', 'public'] })]
    streams.store.isAway = true
    streams.append(changesFrom([report()]))
    await vi.advanceTimersByTimeAsync(16_000)
    for (const sink of sinks) expect(linesOf(sink).map(({ event }) => event)).toEqual(['caught-up', 'heartbeat'])
    streams.store.isAway = false
    for (const sink of sinks) await vi.waitFor(() => expect(changesOf(sink)).toHaveLength(1))
    expect([streams.failures, sinks.map((sink) => sink.ended())]).toEqual([[], [null, null]])
  })

  test('ends when the history store stays away, and goes on from its last cursor once it is back', async () => {
    const streams = memoryStreams({ patienceMs: 20 })
    const sink = await streams.open()
    await vi.waitFor(() => expect(linesOf(sink)).toHaveLength(1))
    streams.store.isAway = true
    streams.append(changesFrom([report()]))
    await vi.waitFor(() => expect(sink.ended()).toBe('ended'))
    expect(streams.failures).toEqual([new Error('the history store is away')])
    streams.store.isAway = false
    const rest = await streams.open({ since: { param: 'since', text: linesOf(sink)[0]!.cursor } })
    await vi.waitFor(() => expect(changesOf(rest)).toHaveLength(1))
  })

  test('of a process with as many as it may have is refused with 503, and has room again when one ends', async () => {
    const streams = memoryStreams({ most: 2 })
    const sinks = [await streams.open(), await streams.open()]
    await expect(streams.open()).rejects.toMatchObject({ code: 'busy', status: 503 })
    sinks[0]!.leave()
    await vi.waitFor(() => expect(streams.hub.size()).toBe(1))
    await streams.open()
  })
})

describe('a place to begin from', () => {
  const now = 1_800_000_000_000

  test('may be a time within seven days', async () => {
    const streams = memoryStreams()
    const changes = changesFrom([report(), report({ reputation: 1 })])
    streams.log.append(0, [changes[0]!], now - 60_000)
    streams.log.append(0, [changes[1]!], now - 30_000)
    const sink = await streams.open({ since: { param: 'since', text: String(now - 45_000) } })
    await vi.waitFor(() => expect(changesOf(sink)).toHaveLength(1))
    const all = await streams.open({ since: { param: 'since', text: new Date(now - 60_000).toISOString() } })
    await vi.waitFor(() => expect(changesOf(all)).toHaveLength(2))
  })

  test.each([
    ['a time of the future', String(now + 1_000), { code: 'invalid_parameter', param: 'since' }],
    ['a time before what is kept', String(now - 8 * 86_400_000), { code: 'cursor_expired', status: 410 }],
    ['what is neither', 'yesterday', { code: 'invalid_parameter', param: 'since' }],
    ['a cursor that was changed', 'A'.repeat(80), { code: 'bad_cursor', param: 'since' }],
  ])('is refused when it is %s', async (_, text, error) => {
    await expect(memoryStreams().open({ since: { param: 'since', text } })).rejects.toMatchObject(error)
  })

  test('is of one user and one filter, not of the form', async () => {
    const streams = memoryStreams()
    const sink = await streams.open({ groups: ['public'] })
    await vi.waitFor(() => expect(linesOf(sink)).toHaveLength(1))
    const since = { param: 'since' as const, text: linesOf(sink)[0]!.cursor }
    await streams.open({ groups: ['public'], since, form: EVENT_STREAM })
    await expect(streams.open({ since })).rejects.toMatchObject({ code: 'bad_cursor' })
    await expect(streams.open({ groups: ['public'], since, filter: { kinds: 'scored' } })).rejects.toMatchObject({
      code: 'bad_cursor',
    })
  })

  test('is refused with 410 and the way to a fresh start when the log does not keep it any more', async () => {
    const streams = memoryStreams()
    const sink = await streams.open()
    streams.append(changesFrom([report(), report({ reputation: 1 }), report({ reputation: 0 })]))
    await vi.waitFor(() => expect(changesOf(sink)).toHaveLength(3))
    const since = { param: 'since' as const, text: changesOf(sink)[0]!.cursor }
    streams.log.forget(0, 2)
    await expect(streams.open({ since })).rejects.toMatchObject({
      status: 410,
      message: expect.stringContaining('/api/live/v1/changes'),
    })
  })
})
