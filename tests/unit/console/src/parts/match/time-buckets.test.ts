import { expect, test } from 'vitest'
import { bucketName, timelineOf } from '../../../../../../console/src/parts/match/time-buckets.ts'

const NAMES = ['forward', 'retro'] as const
const at = (text: string): number => Date.parse(text)

test('nothing has no buckets', () => {
  expect(timelineOf(NAMES, []).buckets).toEqual([])
})

test('what lies within two days is counted by hour, those without any too', () => {
  const { unit, buckets } = timelineOf(NAMES, [
    { at: at('2026-11-25T12:59:59Z'), count: 2, series: 'retro' },
    { at: at('2026-11-25T10:00:00Z'), count: 1, series: 'forward' },
    { at: at('2026-11-25T10:30:00Z'), count: 5, series: 'forward' },
  ])
  expect(unit).toBe('hour')
  expect(buckets).toEqual([
    { start: at('2026-11-25T10:00:00Z'), counts: { forward: 6, retro: 0 } },
    { start: at('2026-11-25T11:00:00Z'), counts: { forward: 0, retro: 0 } },
    { start: at('2026-11-25T12:00:00Z'), counts: { forward: 0, retro: 2 } },
  ])
})

test('a longer span is counted by day, and has a bound', () => {
  const ends = (days: number) => [
    { at: at('2026-11-25T23:00:00Z') - days * 86_400_000, count: 1, series: 'forward' as const },
    { at: at('2026-11-25T23:00:00Z'), count: 1, series: 'retro' as const },
  ]
  const week = timelineOf(NAMES, ends(7))
  expect([week.unit, week.buckets.length, week.buckets[0]!.counts.forward]).toEqual(['day', 8, 1])
  const long = timelineOf(NAMES, ends(10_000))
  expect([long.buckets.length, long.buckets.at(-1)!.counts.retro]).toEqual([400, 1])
})

test('a bucket is named in UTC', () => {
  expect(bucketName(at('2026-11-25T10:00:00Z'), 'hour')).toBe('25 Nov 10:00')
  expect(bucketName(at('2026-11-25T00:00:00Z'), 'day')).toBe('25 Nov')
})
