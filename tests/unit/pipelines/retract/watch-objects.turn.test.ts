import { expect, test } from 'vitest'
import type { ObjectEntry } from '../../../../connectors/operations/stated-objects/port.ts'
import { type ObjectsPorts, objectsJob } from '../../../../pipelines/retract/watch-objects.ts'
import type { TakenBack } from '../../../../schemas/intelligence/observations/stated-object.ts'

const NOW = 1_770_000_000_000
const claim = (entityId: string) => ({ entityId, audience: 1n, from: 1_000, to: 2_000, until: 0 })
const row = (entityId: string) => ({
  entityId,
  type: 'ip',
  value: '203.0.113.7',
  audience: 1n,
  tags: [],
  attributes: {},
  reputation: -3,
  accuracy: 0.5,
  claims: [{ source: 's', kind: 'feed', trust: 0.5, reputation: -3, claimedAt: 1_500, at: 1_500, firstSeen: 1_500 }],
})

/** An object of which two claims are gone; the jobs refuse to take back one of them, or both. */
function world(refused: readonly string[]) {
  const noted: TakenBack[] = []
  const gone = [claim('a'), claim('b')]
  const entries: ObjectEntry[] = [{ offset: 5, object: { source: 's', id: 'x', version: '2', claims: [], gone } }]
  let sent = 0
  const ports = {
    log: { send: async () => void sent++, offsets: async () => [], committed: async () => [] },
    encode: () => Buffer.alloc(0),
    store: {
      rowsOf: async (ids: readonly string[]) => ids.map(row),
      retracted: async () =>
        sent === 0
          ? []
          : ['a', 'b']
              .filter((entityId) => !refused.includes(entityId))
              .map((entityId) => ({ entityId, audience: 1n, from: 1_000, to: 2_000, at: NOW })),
      groupsOf: async () => new Map([[1n, ['public']]]),
      held: async () => [],
      described: async () => [],
    },
    objects: {
      end: async () => 6 + noted.length,
      read: async (visit: (entry: ObjectEntry) => void) => {
        for (const entry of entries) visit(entry)
        for (const [n, taken] of noted.entries()) visit({ offset: 6 + n, taken })
        return 6 + noted.length
      },
      tookBack: async (taken: readonly TakenBack[]) => void noted.push(...structuredClone(taken)),
    },
  }
  const job = objectsJob(ports as unknown as ObjectsPorts, {
    dedupeWindow: 0,
    patience: { stalledMs: 1_000, mostMs: 1_000 },
    now: () => NOW,
    pause: async () => undefined,
    signal: new AbortController().signal,
  })
  return { job, noted, sent: () => sent }
}

test('claims that were taken back are noted', async () => {
  const { job, noted } = world([])
  expect(await job.turn()).toEqual({ claims: 2, refused: 0 })
  expect(noted).toEqual([{ source: 's', id: 'x', offset: 5, pairs: ['a 1', 'b 1'] }])
})

test('a claim that the jobs refused to take back is told and not noted, and tried again', async () => {
  const { job, noted } = world(['b'])
  expect(await job.turn()).toEqual({ claims: 1, refused: 1 })
  expect(noted).toEqual([{ source: 's', id: 'x', offset: 5, pairs: ['a 1'] }])
  expect(await job.turn()).toEqual({ claims: 0, refused: 1 })
  expect(noted).toHaveLength(1)
})

test('where all is refused it is not tried again before the topic has something new', async () => {
  const { job, noted, sent } = world(['a', 'b'])
  expect(await job.turn()).toEqual({ claims: 0, refused: 2 })
  expect(await job.turn()).toEqual({ claims: 0, refused: 0 })
  expect([noted.length, sent()]).toEqual([0, 1])
})
