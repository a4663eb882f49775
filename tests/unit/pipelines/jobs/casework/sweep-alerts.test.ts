import { expect, test } from 'vitest'
import { sweepOnce } from '../../../../../pipelines/jobs/casework/sweep-alerts.ts'
import { ALERTS_KEPT_MS } from '../../../../../schemas/casework/alert.ts'

const NOW = 1_800_000_000_000

/** A store with so many rows that are too old. */
function store(alerts: number, moves: number) {
  const asked: [string, number, number][] = []
  const taken = (what: string, left: { rows: number }) => async (before: number, limit: number) => {
    asked.push([what, NOW - before, limit])
    const gone = Math.min(left.rows, limit)
    left.rows -= gone
    return gone
  }
  const left = { alerts: { rows: alerts }, moves: { rows: moves } }
  const given = { writer: { sweep: taken('alerts', left.alerts) }, lists: { forgetMoves: taken('moves', left.moves) } }
  return { given: given as unknown as Parameters<typeof sweepOnce>[0], asked, left }
}

test('alerts go after 90 days and moves after one, so many in a statement until there are none', async () => {
  const { given, asked } = store(4_500, 1)
  expect(await sweepOnce(given, NOW)).toEqual({ alerts: 4_500, moves: 1 })
  expect(asked).toEqual([
    ...Array.from({ length: 3 }, () => ['alerts', ALERTS_KEPT_MS, 2_000]),
    ['moves', 86_400_000, 2_000],
  ])
  expect(ALERTS_KEPT_MS).toBe(90 * 86_400_000)
})

test('a round ends, however many there are', async () => {
  const { given, left } = store(1_000_000, 0)
  expect(await sweepOnce(given, NOW)).toEqual({ alerts: 100_000, moves: 0 })
  expect(left.alerts.rows).toBe(900_000)
})
