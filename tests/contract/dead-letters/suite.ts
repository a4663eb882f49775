import { afterAll, describe, expect, test } from 'vitest'
import type { EventLog, LogMessage } from '../../../connectors/log/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import { replaySeals } from '../../../connectors/operations/dead-letters/seals.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { IN_A_ROW } from '../../../pipelines/runtime/breakers/breaker-window.ts'
import { circuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import { deadLetterOf } from '../../../pipelines/runtime/dead-letter.ts'
import { deadLetterWriter } from '../../../pipelines/runtime/dead-letter-writer.ts'
import { pause } from '../../../platform/pause.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { ACCOUNT_LIFECYCLE, DEAD_OUTCOMES, deadTopic, OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { type BreakerState, closedBreaker } from '../../../schemas/operation/breaker.ts'
import { observation } from '../../builders/intelligence/observation.ts'
import { everyRecord } from '../../builders/intelligence/replay/replay.ts'
import { scopedLog } from '../../builders/log/scoped-log.ts'
import { until } from '../log/suite.ts'

const registry: Registry = {
  register: async () => 1,
  schema: async (id) => (id === 1 ? records.observation : undefined),
  known: (id) => (id === 1 ? records.observation : undefined),
  ping: async () => undefined,
}
const encode = encoder(records.observation, 1)
const NOW = 1_800_000_000_000

/** What the box of dead letters, and the breakers, promise over any log. */
export function deadLettersContract(name: string, open: () => Promise<EventLog>): void {
  describe(`${name}: dead letters`, () => {
    const opened = open()
    afterAll(async () => (await opened).close())

    async function world() {
      const log = await scopedLog(await opened)
      const box = deadLetterBox({ log, registry, now: () => NOW })
      const again = () => deadLetterBox({ log, registry, now: () => NOW })
      /** Buries records of these values; the n-th stood at offset n of partition 1. */
      const bury = async (
        topic: string,
        given: { value: Buffer; reason: string; key?: string; handler?: string }[],
        from = 0,
      ) => {
        const letters = given.map(({ value, reason, key, handler }, i) => {
          const message: LogMessage = {
            offset: from + i,
            timestamp: 1000 + from + i,
            key: key === undefined ? null : Buffer.from(key),
            value,
            headers: { origin: 'test' },
          }
          return deadLetterOf({ topic, partition: 1 }, { message, reason }, handler)
        })
        await log.send([{ topic: deadTopic(topic), messages: letters }])
      }
      return { log, box, again, bury }
    }

    const bytes = (text: string) => Buffer.from(text)

    test('a letter is listed newest first, page by page, and a record that was buried twice once', async () => {
      const { box, bury } = await world()
      const given = ['a', 'b', 'c', 'd'].map((key) => ({ value: bytes(key), reason: `wrong ${key}`, key }))
      await bury(SUBMISSIONS, given)
      await bury(SUBMISSIONS, given.slice(1, 3), 1)
      const pages: (string | null)[][] = []
      for (let after: string | null | undefined; after !== null; ) {
        const page = await box.list({ limit: 3, ...(after !== undefined && { after }) })
        pages.push(page.letters.map(({ key }) => key))
        after = page.next
      }
      expect(pages).toEqual([['d', 'c', 'b'], ['a']])
      const [newest] = (await box.list({ topic: SUBMISSIONS, reason: 'WRONG D', limit: 10 })).letters
      expect(newest).toMatchObject({
        id: `${SUBMISSIONS}.dead:0:3`,
        state: 'waiting',
        reason: 'wrong d',
        origin: { topic: SUBMISSIONS, partition: 1, offset: 3, at: 1003 },
        outcome: null,
        replayedFrom: null,
      })
      await expect(box.list({ limit: 1, after: `${SUBMISSIONS}.dead:0:99` })).rejects.toThrow('no such dead letter')
      await expect(box.list({ limit: 1, topic: 'feed.registrations' })).rejects.toThrow(
        'the topic "feed.registrations" has no dead letters',
      )
    })

    test('a letter shows what it says; one that cannot be read how it begins, and why', async () => {
      const { box, bury } = await world()
      const value = encode(observation({ value: 'shown.example.com', type: 'domain' }))
      await bury(OBSERVATIONS, [
        { value, reason: 'the key is not its entity' },
        { value: Buffer.alloc(5000, 'z\u0007'), reason: 'wrong magic byte' },
      ])
      const good = (await box.show(`${OBSERVATIONS}.dead:0:0`))!
      expect(good.payload).toMatchObject({ kind: 'record', record: { value: 'shown.example.com' } })
      expect(good.headers).toMatchObject({ origin: 'test', 'dead-reason': 'the key is not its entity' })
      const bad = (await box.show(`${OBSERVATIONS}.dead:0:1`))!
      if (bad.payload.kind !== 'bytes') throw new Error('it was read')
      expect(bad.payload.fault).toMatch(/magic byte/)
      expect(bad.payload.hex).toHaveLength(8192)
      expect(bad.payload.text).toMatch(/^z\ufffdz/)
      expect(await box.show(`${OBSERVATIONS}.dead:0:2`)).toBeNull()
    })

    test('a replay puts the originals back as they were, once; what dies again names the letter before', async () => {
      const { log, box, bury, again } = await world()
      await bury(SUBMISSIONS, [
        { value: bytes('one'), reason: 'feed x is not registered', key: 'k1' },
        { value: bytes('two'), reason: 'feed y is not registered', key: 'k2' },
        { value: bytes('three'), reason: 'FEED X is not registered' },
      ])
      const selection = { topic: SUBMISSIONS, reason: 'feed x' }
      expect(await box.replay(selection, 'me', { dryRun: true })).toEqual({ matched: 2, done: 0, skipped: [] })
      expect(await everyRecord(log, SUBMISSIONS)).toEqual([])
      expect(await box.replay(selection, 'me')).toEqual({ matched: 2, done: 2, skipped: [] })
      expect(await again().replay(selection, 'me')).toEqual({ matched: 0, done: 0, skipped: [] })
      const back = await everyRecord(log, SUBMISSIONS)
      const said = back.map(({ key, value, headers }) => ({ key: key?.toString(), value: value?.toString(), headers }))
      const headers = (n: number) => ({
        origin: 'test',
        'replayed-from': `${SUBMISSIONS}.dead:0:${n}`,
        'replayed-time': String(1000 + n),
        'replayed-seal': expect.any(String),
      })
      expect(said).toHaveLength(2)
      expect(said).toEqual(
        expect.arrayContaining([
          { key: 'k1', value: 'one', headers: headers(0) },
          { key: undefined, value: 'three', headers: headers(2) },
        ]),
      )
      expect(back.find(({ key }) => key === null)!.partition).toBe(1)
      const shown = (await again().show(`${SUBMISSIONS}.dead:0:0`))!
      expect(shown.outcome).toEqual({ state: 'replayed', by: 'me', at: NOW, note: null })

      const died = back.find(({ key }) => key !== null)!
      await log.send([
        {
          topic: deadTopic(SUBMISSIONS),
          messages: [
            deadLetterOf({ topic: SUBMISSIONS, partition: died.partition }, { message: died, reason: 'again' }),
          ],
        },
      ])
      const { letters } = await box.list({ state: 'waiting', limit: 10 })
      expect(letters.map(({ reason, replayedFrom }) => [reason, replayedFrom])).toEqual(
        expect.arrayContaining([
          ['again', `${SUBMISSIONS}.dead:0:0`],
          ['feed y is not registered', null],
        ]),
      )
      expect(letters).toHaveLength(2)
    })

    test('what headers say of a replay is believed of what was put back, byte for byte, and of nothing else', async () => {
      const { log, box, bury } = await world()
      await bury(SUBMISSIONS, [{ value: bytes('one'), reason: 'bad', key: 'k1' }])
      await box.replay({ topic: SUBMISSIONS, reason: 'bad' }, 'me')
      const [back] = await everyRecord(log, SUBMISSIONS)
      const seals = replaySeals(log)
      const claims = async (topic: string, given: Partial<LogMessage>) => {
        const [message] = await seals.check(topic, [{ ...back!, ...given }])
        return Object.keys(message!.headers).sort()
      }
      const all = Object.keys(back!.headers).sort()
      expect(all).toEqual(['origin', 'replayed-from', 'replayed-seal', 'replayed-time'])
      expect(await claims(SUBMISSIONS, {})).toEqual(all)
      const { 'replayed-seal': seal, ...unsealed } = back!.headers
      for (const given of [
        { value: bytes('two') },
        { value: null },
        { key: bytes('k2') },
        { headers: { ...back!.headers, 'replayed-time': '5' } },
        { headers: { ...back!.headers, 'replayed-for': 'billing' } },
        { headers: unsealed },
        ...['', ':', 'x:y', `${seal!.split(':')[0]}:`, `${seal}00`].map((forged) => ({
          headers: { ...back!.headers, 'replayed-seal': forged },
        })),
      ])
        expect(await claims(SUBMISSIONS, given)).toEqual(['origin'])
      expect(await claims(OBSERVATIONS, {})).toEqual(['origin'])
    })

    test('letters are dropped by their places with a note, and left alone after that', async () => {
      const { log, box, bury } = await world()
      await bury(
        OBSERVATIONS,
        ['a', 'b', 'c', 'd'].map((key) => ({ value: bytes(key), reason: 'bad', key })),
      )
      const range = { partition: 0, from: 1, to: 3 }
      expect(await box.drop({ topic: OBSERVATIONS, range }, 'me', 'a test of theirs')).toMatchObject({
        matched: 2,
        done: 2,
      })
      const ids = [0, 1, 9].map((offset) => `${OBSERVATIONS}.dead:0:${offset}`)
      expect(await box.replay({ ids: [...ids, 'nonsense'] }, 'me')).toEqual({
        matched: 1,
        done: 1,
        skipped: [
          { id: ids[1], why: 'already dropped by me' },
          { id: ids[2], why: 'no such dead letter' },
          { id: 'nonsense', why: 'no such dead letter' },
        ],
      })
      expect((await box.waiting()).get(OBSERVATIONS)).toBe(1)
      expect((await box.show(ids[1]!))!.outcome).toMatchObject({ state: 'dropped', note: 'a test of theirs' })
      expect(await everyRecord(log, OBSERVATIONS)).toHaveLength(1)
      await expect(box.drop({ topic: OBSERVATIONS }, 'me', 'all')).rejects.toThrow('a reason or a range is required')
    })

    test('a crash between a record that was put back and the note of it puts it back once more, and then no more', async () => {
      const { log, bury, again } = await world()
      await bury(OBSERVATIONS, [{ value: bytes('a'), reason: 'bad', key: 'a' }])
      const dying = {
        ...log,
        send: async (batches: Parameters<EventLog['send']>[0]) => {
          if (batches.some(({ topic }) => topic === DEAD_OUTCOMES)) throw new Error('killed')
          await log.send(batches)
        },
      }
      const ids = [`${OBSERVATIONS}.dead:0:0`]
      await expect(deadLetterBox({ log: dying, registry, now: () => NOW }).replay({ ids }, 'me')).rejects.toThrow(
        'killed',
      )
      expect(await again().replay({ ids }, 'me')).toMatchObject({ done: 1 })
      expect(await again().replay({ ids }, 'me')).toMatchObject({ done: 0 })
      const back = await everyRecord(log, OBSERVATIONS)
      expect(back.map(({ headers }) => headers['replayed-from'])).toEqual([ids[0], ids[0]])
    })

    test('letters of several handlers about one record are several letters', async () => {
      const { box, bury } = await world()
      for (const handler of ['billing', 'compute'])
        await bury(ACCOUNT_LIFECYCLE, [{ value: bytes('e'), reason: 'bad', handler }])
      const { letters } = await box.list({ limit: 10 })
      expect(letters.map(({ handler }) => handler).sort()).toEqual(['billing', 'compute'])
    })

    test('a breaker that opens leaves its batch unburied and uncommitted, over restarts, until somebody closes it', async () => {
      const { log } = await world()
      const opened: [BreakerState, boolean][] = []
      let closed = 0
      const handed: number[] = []
      const start = async () => {
        const guard = circuitBreakers({
          log,
          breakers: logBreakers(log),
          seals: replaySeals(log),
          now: Date.now,
          by: 'test',
          pause: (ms, signal) => pause(Math.min(ms, 50), signal),
          onOpen: (state, found) => opened.push([state, found]),
          onClose: () => void closed++,
          onAlone: () => expect.unreachable(),
          onFailure: (error) => {
            throw error
          },
        })
        const bury = deadLetterWriter(log, guard.breakerOf('expand'))
        const options = { group: 'expand', topics: [SUBMISSIONS], maxRecords: 5000, maxBytes: 1024 * 1024, lingerMs: 0 }
        return guard.consume(options, async (batch) => {
          handed.push(batch.messages.length)
          await bury(
            batch,
            batch.messages.map((message) => ({ message, reason: 'all of it is wrong' })),
          )
        })
      }
      const messages = Array.from({ length: IN_A_ROW }, (_, i) => ({ key: 'k', value: bytes(String(i)) }))
      await log.send([{ topic: SUBMISSIONS, messages: messages.slice(0, IN_A_ROW) }])
      const first = await start()
      await until('the breaker opens', () => opened.length > 0)
      const dead = async () => (await log.offsets(deadTopic(SUBMISSIONS))).reduce((sum, { high }) => sum + high, 0)
      const before = await dead()
      expect(before).toBeLessThan(IN_A_ROW)
      expect(opened[0]).toMatchObject([{ group: 'expand', run: IN_A_ROW, reasons: ['all of it is wrong'] }, false])
      await first.stop()
      const batches = handed.length

      const second = await start()
      expect(opened[1]?.[1]).toBe(true)
      await pause(300, new AbortController().signal)
      expect(handed).toHaveLength(batches)
      expect(await dead()).toBe(before)
      const standing = await consumerLag(log, Date.now).lag()
      const lag = standing.filter(({ group }) => group === 'expand').reduce((sum, at) => sum + at.lag, 0)
      expect(lag).toBe(IN_A_ROW - before)
      expect(standing.find((at) => at.group === 'expand' && at.lag > 0)!.oldestUnread).toBeGreaterThan(
        Date.now() - 120_000,
      )

      await logBreakers(log).set(closedBreaker('expand', 'me', Date.now(), IN_A_ROW))
      await until('everything is buried', async () => (await dead()) === IN_A_ROW, 60_000)
      expect(closed).toBe(1)
      await second.stop()
    })
  })
}
