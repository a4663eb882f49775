import { describe, expect, test } from 'vitest'
import { formatAge } from '../../../../../../console/src/pages/entity/evidence/age.ts'
import {
  changesOf,
  isUnknown,
  scoreChart,
  summary,
} from '../../../../../../console/src/pages/entity/evidence/score-series.ts'
import { bounds, endOfMinute, WINDOWS, windowOf } from '../../../../../../console/src/pages/entity/evidence/windows.ts'
import { defaultAudience, groupsWithin } from '../../../../../../console/src/pages/entity/groups.ts'

const point = (day: number, reputation: number, accuracy = 1, claims = 1) => ({
  at: `2026-11-0${day}T00:00:00.000Z`,
  reputation,
  accuracy,
  claims,
})

describe('the score over time', () => {
  const points = [point(1, 0, 0, 0), point(2, -3), point(3, -3), point(4, -3, 2, 2), point(5, -2, 2, 2)]

  test('changes are the first point and those that differ from the one before in anything', () => {
    expect(changesOf(points).map(({ at }) => at.slice(8, 10))).toEqual(['01', '02', '04', '05'])
    expect(changesOf([])).toEqual([])
  })

  const now = Date.parse('2026-11-03T12:00:00.000Z')

  test('the summary says how many points there are, their range, what was and what is expected', () => {
    expect(summary(points, now)).toBe(
      'Reputation and accuracy at 5 moments: reputation between −3 and −2. ' +
        'Past: Nothing known on 2026-11-01; Alarming −3, accuracy Low on 2026-11-03. ' +
        'Expected without another report: Bad −2, accuracy Medium on 2026-11-05.',
    )
    expect(summary(points, now + 9 * 86_400_000)).not.toContain('Expected')
    expect(summary(points, 0)).not.toContain('Past')
    expect(summary([], now)).toBe('No scores')
    expect(summary([point(1, 0, 0, 0), point(2, 0, 0, 0)], now)).toBe('Nothing known at 2 moments.')
  })

  test('nothing is known where nobody claims anything and no verdict decides; what was only seen is known', () => {
    expect([point(1, 0, 0, 0), point(1, 0, 0, 1), point(1, -3, 3, 0)].map(isUnknown)).toEqual([true, false, false])
  })

  type Series = {
    name: string
    lineStyle: { type: string }
    data: { value: [number, number | null]; symbolSize: number }[]
  }
  const seriesOf = (at: string | null, time: number) => {
    const { series } = scoreChart(points, at, time) as { series: Series[] }
    return new Map(series.map((one) => [one.name, one]))
  }
  const scores = (series: Series | undefined) => series?.data.map(({ value }) => value[1])

  test('what is past is solid, what is expected dashed, and they meet at now', () => {
    const series = seriesOf(points[3]!.at, now)
    expect([series.get('Reputation'), series.get('Accuracy')].map(scores)).toEqual([
      [null, -3, -3, -3],
      [null, 1, 1, 1],
    ])
    expect([series.get('Reputation, expected'), series.get('Accuracy, expected')].map(scores)).toEqual([
      [null, null, -3, -3, -2],
      [null, null, 1, 2, 2],
    ])
    expect(series.get('Reputation')!.lineStyle.type).toBe('solid')
    expect(series.get('Reputation, expected')!.lineStyle.type).toBe('dashed')
    expect(series.get('Reputation')!.data.at(-1)!.value[0]).toBe(now)
    expect(series.get('Reputation, expected')!.data[2]!.value[0]).toBe(now)
  })

  test('each point stands at its own place, and the one that is looked at is larger', () => {
    const { data } = seriesOf(points[3]!.at, now).get('Reputation, expected')!
    expect(data[3]!.value[0]).toBe(Date.parse(points[3]!.at))
    const sizes = data.map(({ symbolSize }) => symbolSize)
    expect(sizes.indexOf(Math.max(...sizes))).toBe(3)
  })

  test('a window of the past alone or of the future alone is one line', () => {
    const later = seriesOf(null, Date.parse('2026-12-01T00:00:00.000Z'))
    expect([later.get('Reputation'), later.get('Reputation, expected')].map((one) => one?.data.length)).toEqual([5, 0])
    const earlier = seriesOf(null, 0)
    expect([earlier.get('Reputation'), earlier.get('Reputation, expected')].map((one) => one?.data.length)).toEqual([
      0, 5,
    ])
  })
})

describe('windows', () => {
  test('an unknown name is the first window', () => {
    expect(windowOf('year').back).toBe(365)
    expect([windowOf(null), windowOf('__proto__')]).toEqual([WINDOWS[0], WINDOWS[0]])
  })

  test('bounds are whole minutes, so that a question stays the same for one', () => {
    const now = Date.parse('2026-11-22T10:00:30.500Z')
    const week = bounds(windowOf('week'), now)
    expect(week).toEqual({ from: '2026-11-15T10:01:00.000Z', to: '2026-11-22T10:01:00.000Z' })
    expect(bounds(windowOf('week'), now + 20_000)).toEqual(week)
    // Its last point is not after what the chart calls now.
    expect(endOfMinute(now)).toBe(Date.parse(week.to))
  })
})

test('ages are in their largest unit, rounded down', () => {
  expect([0, 59, 60, 3_599, 7_200, 86_400 * 12 + 5].map(formatAge)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '2 h',
    '12 d',
  ])
})

describe('the audience', () => {
  test('the own groups, and everyone only where there is no other', () => {
    expect(defaultAudience(['blue', 'public', 'customer-1'])).toEqual(['blue', 'customer-1'])
    expect(defaultAudience(['public'])).toEqual(['public'])
    expect(defaultAudience([])).toEqual(['public'])
  })

  test('an answer goes only to groups that may read the comment that it answers', () => {
    expect(groupsWithin(['blue', 'red', 'public'], ['blue'])).toEqual(['blue'])
    expect(groupsWithin(['blue', 'public'], ['public'])).toEqual(['blue', 'public'])
    expect(groupsWithin(['blue', 'public'], null)).toEqual(['blue', 'public'])
  })
})
