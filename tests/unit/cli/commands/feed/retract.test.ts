import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { type FeedRetractContext, registerFeedRetraction } from '../../../../../cli/commands/feed/retract.ts'
import type { Reported } from '../../../../../connectors/history/port.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const PUBLIC = audienceId(['public'])
const ENTITY = `ip-${'0'.repeat(64)}`
const REPORTED: Reported = { entityId: ENTITY, type: 'ip', value: '192.0.2.1', audience: PUBLIC, inside: true }
const CLAIM = { source: 'feed:bad', kind: 'feed', trust: 1, reputation: -3, claimedAt: NOW - 5, at: NOW - 5 }
const WINDOW = ['--from', new Date(NOW - 1_000).toISOString(), '--to', new Date(NOW).toISOString()]

/** Runs `feed retract` of one entity; the jobs apply its record, refuse it, or stand still. */
async function retract(jobs: 'apply' | 'refuse' | 'stand still') {
  const out: string[] = []
  const said: string[] = []
  let [now, sent, closed] = [NOW, 0, 0]
  const taken = () => jobs === 'apply' && sent > 0
  const row = () =>
    ({
      entityId: ENTITY,
      audience: PUBLIC,
      tags: [],
      attributes: {},
      reputation: taken() ? 0 : -3,
      accuracy: 1,
      claims: taken() ? [] : [CLAIM],
    }) as unknown as EntityState
  const context = {
    store: {
      known: async () => true,
      reported: async () => [REPORTED],
      rowsOf: async () => [row()],
      groupsOf: async () => new Map([[PUBLIC, ['public']]]),
      retracted: async () => (taken() ? [{ entityId: ENTITY, audience: PUBLIC, from: 0, to: NOW, at: NOW }] : []),
      held: async () => [],
      heldStill: async () => null,
      described: async () => [],
    },
    log: {
      send: async () => void sent++,
      offsets: async () => [{ partition: 0, low: 0, high: sent }],
      committed: async () => [{ partition: 0, offset: jobs === 'stand still' ? 0 : sent }],
    },
    encode: (_: Observation) => Buffer.from(''),
    dedupeWindow: 0,
    close: async () => void closed++,
  } as unknown as FeedRetractContext
  const feed = new Command().exitOverride().configureOutput({ writeErr: (text) => void said.push(text) })
  const stream = (to: string[]) => ({ write: (text: string) => to.push(text) }) as unknown as NodeJS.WritableStream
  registerFeedRetraction(feed, async () => context, {
    stdout: stream(out),
    stderr: stream([]),
    now: () => now,
    pause: async (ms) => {
      now += ms
    },
    signal: new AbortController().signal,
  })
  const status = await feed.parseAsync(['retract', 'bad', ...WINDOW], { from: 'user' }).then(
    () => 0,
    (error: { exitCode: number }) => error.exitCode,
  )
  expect([closed, sent]).toEqual([1, 1])
  return { out: out.join(''), said: said.join(''), status }
}

describe('harrier feed retract', () => {
  test('ends with 0 once its records are applied', async () => {
    expect(await retract('apply')).toEqual({
      out: '1 entity reported, 1 retracted, 0 already retracted; 1 score changed\n',
      said: '',
      status: 0,
    })
  })

  test('says what the jobs refused, and ends with 1', async () => {
    expect(await retract('refuse')).toEqual({
      out: '1 entity reported, 0 retracted, 0 already retracted; 0 scores changed\n',
      said: "retractions that were refused and changed nothing: 1; 'harrier dead-letters list entity.observations' shows why\n",
      status: 1,
    })
  })

  test('says that its records wait when the jobs stand still, and ends with 1', async () => {
    const { out, said, status } = await retract('stand still')
    expect([out, status]).toEqual(['', 1])
    expect(said).toMatch(/are in the log, but 1 of its records are not applied yet; check that the jobs run/)
  })
})
