import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RejectedItem } from '../../../../connectors/feeds/parse/item.ts'
import { parseFeed } from '../../../../connectors/feeds/read-feed.ts'
import { readersOf } from '../../../../pipelines/import/admission.ts'
import { readCheckpoint } from '../../../../pipelines/import/checkpoint.ts'
import { type ImportPlan, runImport } from '../../../../pipelines/import/run-import.ts'
import { isAttribute, pieces } from '../../../builders/feeds/collect-feed.ts'
import { importPorts } from '../../../builders/feeds/import/ports.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-import-'))
const LINES = 100
/** Every tenth line is no indicator. */
const text = Array.from({ length: LINES }, (_, i) => (i % 10 === 9 ? 'nothing' : `8.8.${i}.1`)).join('\n')
const NOW = Date.UTC(2026, 0, 1)

function plan(name: string | null, change: Partial<ImportPlan> = {}): ImportPlan & { rejects: RejectedItem[] } {
  const parse = {
    format: 'lines',
    reputation: -3,
    tags: [],
    columns: 'indicator',
    header: false,
    trailingTags: false,
    isAttribute,
  } as const
  const rejects: RejectedItem[] = []
  return {
    feed: { name: 'ipsum', trust: 0.7, groups: ['public'] },
    readers: readersOf(['public'], new Map()),
    key: 'key',
    checkpointPath: name === null ? null : join(folder, `${name}.json`),
    items: () => parseFeed(pieces(text, 50), parse),
    remembers: false,
    openRejects: async () => ({ add: async (items) => void rejects.push(...items) }),
    now: NOW,
    maxObservations: 10,
    signal: new AbortController().signal,
    onProgress: () => {},
    rejects,
    ...change,
  }
}

const values = (ports: ReturnType<typeof importPorts>) =>
  ports
    .observations()
    .map(({ value }) => value)
    .sort()

async function whole(): Promise<string[]> {
  const ports = importPorts()
  await runImport(ports, plan('whole'))
  return values(ports)
}

describe('an import', () => {
  test('publishes every indicator once, keyed by its entity, and rejects the rest', async () => {
    const ports = importPorts()
    const given = plan('plain')
    const result = await runImport(ports, given)
    expect(result).toMatchObject({ published: 90, rejected: 10, line: LINES, resumedAfter: null, interrupted: false })
    expect(given.rejects.map(({ line }) => line)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    const observations = ports.observations()
    expect(new Set(observations.map(({ id }) => id)).size).toBe(90)
    expect(observations[0]).toMatchObject({
      source: 'feed:ipsum',
      userId: 'feed:ipsum',
      sourceKind: 'feed',
      trust: 0.7,
      kind: 'report',
      audience: ['public'],
      reputation: -3,
      observedAt: NOW,
    })
    const keys = ports.log.all('entity.observations').map(({ key }) => key?.toString())
    expect(keys).toEqual(observations.map(({ entityId }) => entityId))
  })

  test('registers its feed', async () => {
    const ports = importPorts()
    await runImport(ports, plan('registration'))
    expect(ports.feeds()).toEqual([{ name: 'ipsum', trust: 0.7, groups: ['public'], registeredAt: NOW, owner: null }])
  })

  test('leaves no checkpoint when it is finished, and is a new import when started again', async () => {
    const ports = importPorts()
    await runImport(ports, plan('again'))
    expect(await readCheckpoint(join(folder, 'again.json'))).toBeNull()
    await runImport(ports, plan('again', { now: NOW + 1 }))
    expect(new Set(ports.observations().map(({ id }) => id)).size).toBe(180)
  })

  test('of an empty feed publishes nothing', async () => {
    const ports = importPorts()
    expect(await runImport(ports, plan('empty', { items: async function* () {} }))).toMatchObject({
      published: 0,
      line: 0,
    })
  })
})

describe('a line that says several things', () => {
  const line = ['203.0.113.5-203.0.113.7', '192.0.2.1-192.0.2.254', '203.0.113.9'].join('\n')
  const items = () =>
    parseFeed(pieces(line), {
      format: 'ranges',
      reputation: -3,
      tags: [],
      columns: '',
      header: false,
      trailingTags: false,
      isAttribute,
    })

  test('is published whole, each with its own id and in one batch', async () => {
    const ports = importPorts()
    const lines: number[] = []
    const given = plan('several', { items, maxObservations: 3, onProgress: ({ line }) => lines.push(line) })
    expect(await runImport(ports, given)).toMatchObject({ published: 17, line: 3 })
    expect(lines).toEqual([2, 3])
    expect(new Set(ports.observations().map(({ id }) => id)).size).toBe(17)
  })

  test('is neither cut nor repeated by a crash within it', async () => {
    const ports = importPorts()
    const failing = async function* () {
      ports.log.failNext(7)
      yield* items()
    }
    await expect(runImport(ports, plan('several-crash', { items: failing, maxObservations: 3 }))).rejects.toThrow()
    expect(ports.observations()).toHaveLength(7)
    expect(await runImport(ports, plan('several-crash', { items }))).toMatchObject({ published: 17, recovered: 7 })
    expect(ports.observations()).toHaveLength(17)
  })
})

describe('an import that was interrupted', () => {
  for (const keep of [0, 1, 5, 9]) {
    test(`after ${keep} records of a batch goes on without losing or repeating one`, async () => {
      const ports = importPorts()
      const name = `crash-${keep}`
      let batches = 0
      const failing = plan(name, { onProgress: () => void (++batches === 3 && ports.log.failNext(keep)) })
      await expect(runImport(ports, failing)).rejects.toThrow('the log went away')
      const before = ports.observations().length
      expect(before).toBe(3 * 9 + keep)

      const result = await runImport(ports, plan(name, { now: NOW + 5_000 }))
      expect(result).toMatchObject({ published: 90, rejected: 10, resumedAfter: 30, recovered: keep })
      expect(values(ports)).toEqual(await whole())
      expect(new Set(ports.observations().map(({ observedAt }) => observedAt))).toEqual(new Set([NOW]))
    })
  }

  test('twice, in the batch that it resumed with, still repeats nothing', async () => {
    const ports = importPorts()
    ports.log.failNext(0)
    await expect(runImport(ports, plan('twice'))).rejects.toThrow()
    const failAt = (batch: number, keep: number) => {
      let batches = 0
      return { onProgress: () => void (++batches === batch && ports.log.failNext(keep)) }
    }
    await expect(runImport(ports, plan('twice', failAt(2, 4)))).rejects.toThrow()
    await expect(runImport(ports, plan('twice', failAt(1, 3)))).rejects.toThrow()
    await runImport(ports, plan('twice'))
    expect(values(ports)).toEqual(await whole())
  })

  test('by the user ends after a whole batch and keeps its checkpoint', async () => {
    const ports = importPorts()
    const stop = new AbortController()
    const first = await runImport(ports, plan('stop', { signal: stop.signal, onProgress: () => stop.abort() }))
    expect(first).toMatchObject({ interrupted: true, resumable: true })
    expect(first.published).toBeGreaterThanOrEqual(9)
    expect(first.published).toBeLessThan(90)
    expect(await runImport(ports, plan('stop'))).toMatchObject({
      published: 90,
      resumedAfter: first.line,
      recovered: 0,
    })
    expect(values(ports)).toEqual(await whole())
  })

  test('may go on with batches of another size', async () => {
    const ports = importPorts()
    let batches = 0
    const failing = plan('size', { onProgress: () => void (++batches === 2 && ports.log.failNext(6)) })
    await expect(runImport(ports, failing)).rejects.toThrow()
    await runImport(ports, plan('size', { maxObservations: 3 }))
    expect(values(ports)).toEqual(await whole())
  })

  test('leaves nothing behind when it cannot be resumed', async () => {
    const ports = importPorts()
    const before = await readdir(folder)
    await runImport(ports, plan(null))
    expect(await readdir(folder)).toEqual(before)
  })
})

test('what a feed breaks on is an error after the batches before it were published', async () => {
  const ports = importPorts()
  async function* broken() {
    yield* parseFeed(pieces('8.8.8.8\n9.9.9.9\n'), {
      format: 'lines',
      reputation: -3,
      tags: [],
      columns: '',
      header: false,
      trailingTags: false,
      isAttribute,
    })
    throw new Error('connection reset')
  }
  await expect(runImport(ports, plan('broken', { items: broken, maxObservations: 1 }))).rejects.toThrow(
    'connection reset',
  )
  expect(values(ports)).toEqual(['8.8.8.8', '9.9.9.9'])
})

test('well-known entities are public marks without a reputation', async () => {
  const ports = importPorts()
  const items = async function* () {
    yield [{ line: 1, wellKnown: true, entity: { type: 'domain', attributes: { domain: 'example.com' } } }]
  }
  await runImport(ports, plan('known', { items, feed: { name: 'w', trust: 1, groups: ['team'] } }))
  expect(ports.observations()).toMatchObject([{ kind: 'well_known', audience: ['public'], reputation: null }])
})

describe('an import of what is marked', () => {
  const parse = { format: 'stix', reputation: -3, tags: [], columns: '', header: false, trailingTags: false } as const
  const labels = ['tlp:clear', 'tlp:amber', 'tlp:red']
  /** Every third object is amber, every third red, each resolves to the one before. */
  const objects = Array.from({ length: 60 }, (_, i) => ({
    type: 'ipv4-addr',
    id: `i${i}`,
    value: `8.8.${i}.1`,
    labels: [labels[i % 3]],
    resolves_to_refs: i === 0 ? [] : [`i${i - 1}`],
  }))
  const bundle = JSON.stringify({ type: 'bundle', objects })
  const marked = (name: string, change: Partial<ImportPlan> = {}) =>
    plan(name, {
      items: () => parseFeed(pieces(bundle, 500), { ...parse, isAttribute }),
      readers: readersOf(['public'], new Map([['amber', ['team']]])),
      ...change,
    })
  const told = (ports: ReturnType<typeof importPorts>) =>
    ports
      .observations()
      .map(({ value, audience, links }) => `${value} ${audience} ${links.length}`)
      .sort()

  test('tells nobody of what is red, and the readers of amber alone of what is amber', async () => {
    const ports = importPorts()
    const given = marked('marked')
    const result = await runImport(ports, given)
    // 20 red objects, and the 19 relations with one that an open object states; amber ones resolve to open ones alone.
    expect(result).toMatchObject({ rejected: 39, withheld: 39 })
    expect(given.rejects.every((item) => item.rejected.startsWith('restricted (TLP:RED)'))).toBe(true)
    const value = (i: number) => `8.8.${i}.1`
    const want = objects.flatMap((_, i) => {
      if (i % 3 === 0) return [`${value(i)} public 0`]
      return i % 3 === 1 ? [`${value(i)} team 1`, `${value(i - 1)} team 0`] : []
    })
    expect(told(ports)).toEqual(want.sort())
  })

  for (const [batch, keep] of [
    [1, 3],
    [2, 0],
    [3, 7],
  ] as const)
    test(`goes on after batch ${batch} and ${keep} records as if it had not been interrupted`, async () => {
      const uninterrupted = importPorts()
      await runImport(uninterrupted, marked('marked'))
      const ports = importPorts()
      const name = `marked-${batch}-${keep}`
      let batches = 0
      const onProgress = () => void (++batches === batch && ports.log.failNext(keep))
      await expect(runImport(ports, marked(name, { onProgress }))).rejects.toThrow('the log went away')
      const result = await runImport(ports, marked(name, { now: NOW + 5_000 }))
      expect(result.rejected).toBe(39)
      expect(told(ports)).toEqual(told(uninterrupted))
    })
})

test('a row of a table with an odd attribute is published without it, and the part is rejected', async () => {
  const ports = importPorts()
  const options = { format: 'csv', reputation: -3, tags: [], columns: 'indicator,port', header: false } as const
  const table = plan(null, {
    items: () => parseFeed(pieces('8.8.8.8,0/tcp\n8.8.4.4,53/udp\n'), { ...options, trailingTags: false, isAttribute }),
  })
  const result = await runImport(ports, table)
  expect(ports.observations().map(({ value, attributes }) => [value, attributes])).toEqual([
    ['8.8.8.8', {}],
    ['8.8.4.4', { port: '53/udp' }],
  ])
  expect(result).toMatchObject({ published: 2, rejected: 1 })
  expect(table.rejects).toMatchObject([{ line: 1, rejected: expect.stringContaining('port is not usable') }])
})
