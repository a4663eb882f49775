import { expect, test } from 'vitest'
import { knownFeed } from '../../../../../pipelines/jobs/exchange/known-feed.ts'
import { knownSteps } from '../../../../../pipelines/jobs/exchange/known-steps.ts'
import { renewClaims } from '../../../../../pipelines/jobs/exchange/renew.ts'
import { collectionWriting } from '../../../../../pipelines/jobs/exchange/writing.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { HeldVerdict } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { collectionWorld } from '../../../../builders/feeds/collection-world.ts'
import { headOf, item } from '../../../../builders/history/feed-lists.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'

const FEED = '5c6f3a51-0000-4000-8000-000000000009'
const RULES = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const selector = selectorOf({ reputation: { lte: -1 } })
const listed = { ...item(1), entityId: entityId('ip', '192.0.2.1') }

const rowOf = (observedAt: number, verdict: HeldVerdict | null = null) => {
  const made = observation({ value: '192.0.2.1', observedAt })
  const at = { partition: 0, offset: 1, audience: audienceId(made.audience) }
  return { ...[...applyBatch(new Map(), [{ observation: made, ...at }], RULES).rows][0]!, verdict }
}

/** A collection with one claim that ends at a time; returns looks at it. */
async function world(validUntil: number) {
  const { state, ports, options, memory } = collectionWorld(FEED)
  const feed = knownFeed(headOf(FEED, { feed: { ...headOf(FEED).feed, selector } }))
  const writing = collectionWriting(ports, options)
  await writing.begin()
  const steps = await knownSteps({ ports, feed, last: 0, now: NOW }, { items: [], gone: [] })
  steps.put(listed, validUntil)
  await writing.add({ feed: FEED, rows: steps.rows(), sequence: 0, added: steps.last() })
  await writing.flush()
  state.items = [listed]
  state.groups = new Map([[audienceId(['public']), ['public']]])
  return {
    state,
    feed,
    look: (now: number) => renewClaims(ports, feed, 1, writing, now),
    ends: () =>
      memory
        .placed(FEED)
        .flatMap(({ type, text }) =>
          type === 'indicator' ? [Date.parse(JSON.parse(text).valid_until ?? '') || 0] : [],
        ),
    lookAt: () => memory.kept.get(FEED)!.rows.at(-1)!.entity!.lookAt,
  }
}

const END = NOW + 10 * DAY

test('before half of the time nothing is looked at; then a claim that holds longer is said again', async () => {
  const { state, look, ends, lookAt } = await world(END)
  state.rows = [rowOf(NOW + DAY)]
  expect(await look(NOW + 5 * DAY - 1)).toBe(false)
  expect(ends()).toEqual([END])
  await look(NOW + 5 * DAY)
  const [, later] = ends()
  expect(later).toBeGreaterThan(END)
  expect(lookAt()).toBe(NOW + 5 * DAY + Math.ceil((later! - NOW - 5 * DAY) / 2))
})

test('a claim that nobody spoke of is looked at again at half of what is left', async () => {
  const { state, look, ends, lookAt } = await world(NOW + 40 * DAY)
  state.rows = [rowOf(NOW)]
  await look(NOW + 20 * DAY)
  expect([ends(), lookAt()]).toEqual([[NOW + 40 * DAY], NOW + 30 * DAY])
})

test('what never ends any more, as a verdict says so, is said without an end', async () => {
  const { state, look, ends, lookAt } = await world(END)
  state.rows = [rowOf(NOW, { reputation: -3, at: NOW, until: 0 })]
  await look(END)
  expect([ends(), lookAt()]).toEqual([[END, 0], 0])
})

test('what has ended and is listed still, or is listed no more, is not said again', async () => {
  const { state, look, ends } = await world(END)
  state.rows = [rowOf(NOW)]
  await look(END)
  const said = ends()
  expect(said).toEqual([END, expect.toSatisfy((end: number) => end > NOW + 25 * DAY && end < NOW + 26 * DAY)])
  for (const days of [26, 30, 60]) await look(NOW + days * DAY)
  expect(ends()).toEqual(said)
  state.rows = [rowOf(NOW + 60 * DAY)]
  state.items = []
  await look(NOW + 61 * DAY)
  expect(ends()).toEqual(said)
})
