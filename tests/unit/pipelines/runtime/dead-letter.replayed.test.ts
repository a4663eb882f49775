/** A letter that is put back twice, as after a crash: for each topic nothing comes of the second time. */

import { describe, expect, test } from 'vitest'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { expandSubmission } from '../../../../pipelines/processors/intelligence/expand-submission.ts'
import { deadLetterOf } from '../../../../pipelines/runtime/dead-letter.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS, SUBMISSIONS } from '../../../../schemas/log/topics.ts'
import {
  firstAppendedAt,
  isFor,
  letterHeaders,
  letterId,
  letterPlace,
  replayHeaders,
} from '../../../../schemas/operation/dead-letter.ts'
import { observation } from '../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: '', asn: 0, aso: '' }) }
const T = 1_700_000_000_000
const DAY = 86_400_000

const applied = (observations: readonly Observation[]) =>
  applyBatch(
    new Map(),
    observations.map((o, offset) => ({ observation: o, partition: 0, offset, audience: audienceId(o.audience) })),
    rules,
  )

/** The score of every row, without where on the log it comes from. */
const scores = (observations: readonly Observation[]) =>
  [...applied(observations).states.values()].flat().map(({ version: _, claims, ...row }) => ({ ...row, claims }))

describe('a letter that was put back twice', () => {
  test('of a submission without a time says the same of the same moment again, however late', () => {
    const feed = { name: 'honeypots', trust: 0.8, groups: ['public'], registeredAt: 1, owner: null }
    const submission = {
      feed: 'honeypots',
      observedAt: null,
      visibleBy: null,
      type: 'domain',
      attributes: { domain: 'late.example.com' },
      reputation: -2,
      tags: [],
      correlate: [],
      associations: [],
    }
    const original = { offset: 7, timestamp: T, key: null, value: null, headers: {} }
    const letter = deadLetterOf({ topic: SUBMISSIONS, partition: 0 }, { message: original, reason: 'no feed' })
    const headers = replayHeaders(`${SUBMISSIONS}.dead:0:3`, letter.headers!)
    const expanded = [DAY, 9 * DAY].map((later, n) => {
      const found = expandSubmission(
        submission,
        feed,
        `place ${n}`,
        firstAppendedAt({ headers, timestamp: T + later }),
        T + later,
      )
      if (!found.ok) throw new Error(found.reason)
      return found.observations
    })
    const [once, twice] = [expanded[0]!, expanded.flat()]
    expect(twice.map(({ observedAt }) => observedAt)).toEqual([T, T])
    expect(applied(twice).history).toHaveLength(applied(once).history.length)
    expect(scores(twice)).toEqual(scores(once))
  })

  test('of an observation is a repeat', () => {
    const o = observation({ observedAt: T })
    expect(applied([o, o]).history).toHaveLength(1)
    expect(scores([o, o])).toEqual(scores([o]))
  })
})

describe('the headers of a record that was put back', () => {
  const message = { offset: 5, timestamp: T, key: null, value: null, headers: { origin: 'x' } }
  const letter = deadLetterOf({ topic: OBSERVATIONS, partition: 1 }, { message, reason: 'bad', attempts: 2 })

  test('are its own, with the letter and the first time, also when it died before', () => {
    const first = replayHeaders('a', letter.headers!)
    expect(first).toEqual({ origin: 'x', 'replayed-from': 'a', 'replayed-time': String(T) })
    const died = deadLetterOf(
      { topic: OBSERVATIONS, partition: 1 },
      { message: { ...message, offset: 9, timestamp: T + DAY, headers: first }, reason: 'bad' },
    )
    expect(letterHeaders(died.headers!)).toMatchObject({ replayedFrom: 'a', origin: { offset: 9, at: T + DAY } })
    expect(replayHeaders('b', died.headers!)).toEqual({ origin: 'x', 'replayed-from': 'b', 'replayed-time': String(T) })
  })

  test('name the handler that buried it, whom alone it reaches', () => {
    const headers = replayHeaders('a', { ...letter.headers, 'dead-handler': 'billing' })
    expect(['billing', 'compute'].map((handler) => isFor(handler, { headers }))).toEqual([true, false])
    expect(isFor('compute', { headers: {} })).toBe(true)
  })

  test('make no record younger, and none older than it may be', () => {
    const at = (time: string) => firstAppendedAt({ headers: { 'replayed-time': time }, timestamp: T })
    expect([at('5'), at(String(T + 1)), at('nonsense'), at('-1')]).toEqual([5, T, T, T])
  })
})

test('the id of a letter names its place, and nothing else is one', () => {
  const place = { topic: SUBMISSIONS, partition: 0, offset: 12 }
  expect(letterPlace(letterId(place))).toEqual(place)
  for (const id of ['', 'x.dead:0:1', `${SUBMISSIONS}:0:1`, `${SUBMISSIONS}.dead:0:`, `${SUBMISSIONS}.dead:-1:1`])
    expect(letterPlace(id), id).toBeNull()
})
