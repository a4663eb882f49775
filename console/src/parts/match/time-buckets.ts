/** Counts over time, for a chart: by hour when they lie within two days, else by day. UTC. */

import type { EChartsCoreOption } from 'echarts/core'

export type Counted<Series extends string> = { at: number; count: number; series: Series }
/** `start`: of the hour or the day, unix milliseconds. */
export type Bucket<Series extends string> = { start: number; counts: Readonly<Record<Series, number>> }
export type Timeline<Series extends string> = { unit: 'hour' | 'day'; buckets: Bucket<Series>[] }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS_SHOWN = 48
/** The oldest days are left out of a longer span. */
const MOST_DAYS = 400

/** Buckets from the first to the last of `points`, those without any too, oldest first. Empty without points. */
export function timelineOf<Series extends string>(
  names: readonly Series[],
  points: readonly Counted<Series>[],
): Timeline<Series> {
  if (points.length === 0) return { unit: 'hour', buckets: [] }
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { at } of points) {
    first = Math.min(first, at)
    last = Math.max(last, at)
  }
  const unit = floor(last, HOUR_MS) - floor(first, HOUR_MS) < HOURS_SHOWN * HOUR_MS ? 'hour' : 'day'
  const size = unit === 'hour' ? HOUR_MS : DAY_MS
  const end = floor(last, size)
  const begin = Math.max(floor(first, size), end - (MOST_DAYS - 1) * size)
  const buckets = Array.from({ length: (end - begin) / size + 1 }, (_, place) => ({
    start: begin + place * size,
    counts: Object.fromEntries(names.map((name) => [name, 0])) as Record<Series, number>,
  }))
  for (const { at, count, series } of points) {
    const bucket = buckets[(floor(at, size) - begin) / size]
    if (bucket !== undefined) bucket.counts[series] += count
  }
  return { unit, buckets }
}

const floor = (at: number, size: number): number => Math.floor(at / size) * size

/** `26 Nov 13:00`, or `26 Nov` of a day. */
export const bucketName = (start: number, unit: 'hour' | 'day'): string =>
  (unit === 'hour' ? HOUR : DAY).format(new Date(start)).replace(',', '')

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export type SeriesLook<Series extends string> = { series: Series; name: string; color: string; striped?: boolean }

const STRIPES = { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4 }

/** Stacked bars; a striped series differs by more than its colour. A legend when there are several. */
export function timelineOption<Series extends string>(
  { unit, buckets }: Timeline<Series>,
  looks: readonly SeriesLook<Series>[],
): EChartsCoreOption {
  const several = looks.length > 1
  return {
    grid: { left: 4, right: 8, top: several ? 34 : 12, bottom: 4, containLabel: true },
    ...(several ? { legend: { top: 0, right: 0, itemHeight: 10, selectedMode: false } } : {}),
    tooltip: { trigger: 'axis', confine: true, axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      data: buckets.map(({ start }) => bucketName(start, unit)),
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1, splitNumber: 4 },
    series: looks.map(({ series, name, color, striped }) => ({
      type: 'bar',
      stack: 'all',
      barMinHeight: 1,
      barMaxWidth: 40,
      name,
      color,
      ...(striped ? { itemStyle: { decal: { ...STRIPES, color: '#00000055' } } } : {}),
      data: buckets.map(({ counts }) => counts[series] || null),
    })),
  }
}
