import type { EChartsCoreOption } from 'echarts/core'
import { accuracyLabel, formatReputation, scoreText } from '../../../parts/entity/scores.ts'

/** A score as of a moment (ISO 8601). */
type Point = { at: string; reputation: number; accuracy: number; claims: number }

/** The points at which something is another than at the one before, and the first. */
export const changesOf = <P extends Point>(points: readonly P[]): P[] =>
  points.filter((point, i) => {
    const before = points[i - 1]
    if (before === undefined) return true
    const { reputation, accuracy, claims } = point
    return before.reputation !== reputation || before.accuracy !== accuracy || before.claims !== claims
  })

/** How many of the points are not after `now` (unix milliseconds); the points are in their order. */
export const pastCount = (points: readonly Point[], now: number): number =>
  points.filter(({ at }) => Date.parse(at) <= now).length

/** Whether nobody had said anything, or all of it was taken back; a verdict of the customer alone is something. */
export const isUnknown = ({ reputation, accuracy, claims }: Point): boolean =>
  claims === 0 && reputation === 0 && accuracy === 0

export const NOTHING_KNOWN = 'Nothing known'

const said = (point: Point): string =>
  isUnknown(point)
    ? NOTHING_KNOWN
    : `${scoreText(point.reputation, point.accuracy)}, accuracy ${accuracyLabel(point.accuracy)}`

const on = ({ at }: Point): string => `on ${at.slice(0, 10)}`

/** What the chart shows, in sentences: the range, then the past and what is expected. @param now unix milliseconds */
export function summary(points: readonly Point[], now: number): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return 'No scores'
  const scores = points.filter((point) => !isUnknown(point)).map(({ reputation }) => reputation)
  if (scores.length === 0) return `${NOTHING_KNOWN} at ${points.length} moments.`
  const range = `between ${formatReputation(Math.min(...scores))} and ${formatReputation(Math.max(...scores))}`
  const past = pastCount(points, now)
  const latest = points[past - 1]
  const sentences = [`Reputation and accuracy at ${points.length} moments: reputation ${range}.`]
  if (latest !== undefined) sentences.push(`Past: ${said(first)} ${on(first)}; ${said(latest)} ${on(latest)}.`)
  if (past < points.length) sentences.push(`Expected without another report: ${said(last)} ${on(last)}.`)
  return sentences.join(' ')
}

const LARGE = 13
const SMALL = 5
const REPUTATION = '#2da598'
const ACCURACY = '#8a8f98'

type Datum = { value: [time: number, score: number | null]; symbolSize: number }

/**
 * The points of one score in two series that meet at `now`, each point at its own place in the one that it belongs to:
 * what is clicked is known by its place.
 */
function splitAt(points: readonly Point[], now: number, at: string | null, scoreOf: (point: Point) => number) {
  // The curve begins with what is known.
  const of = (point: Point): number | null => (isUnknown(point) ? null : scoreOf(point))
  const past = pastCount(points, now)
  const data = points.map((point): Datum => {
    const symbolSize = point.at === at ? LARGE : SMALL
    return { value: [Date.parse(point.at), of(point)], symbolSize }
  })
  const here = points[past - 1]
  if (here === undefined || past === points.length) return { past: data.slice(0, past), future: data.slice(past) }
  const joint: Datum = { value: [now, of(here)], symbolSize: 0 }
  const gap: Datum = { value: [now, null], symbolSize: 0 }
  const before = Array.from({ length: past - 1 }, () => gap)
  return { past: [...data.slice(0, past), joint], future: [...before, joint, ...data.slice(past)] }
}

/**
 * Reputation as a line that holds from point to point, accuracy as a band of its own below, on one axis of time. What is
 * past is solid, what is expected is dashed, and a line says where now is. Nothing is clipped: the axes hold every point, and
 * browsers drew no line through the clip paths of the library.
 * @param at ISO 8601, the point that is looked at and larger; null: now
 * @param now unix milliseconds
 */
export function scoreChart(points: readonly Point[], at: string | null, now: number): EChartsCoreOption {
  const line = (name: string, data: Datum[], type: 'solid' | 'dashed') => ({
    name,
    type: 'line',
    clip: false,
    step: 'end',
    color: REPUTATION,
    lineStyle: { type, width: 2 },
    data,
    showAllSymbol: true,
    symbol: 'circle',
  })
  const band = (name: string, data: Datum[], type: 'solid' | 'dashed') => ({
    name,
    type: 'line',
    clip: false,
    step: 'end',
    color: ACCURACY,
    lineStyle: { type, width: 1 },
    data,
    xAxisIndex: 1,
    yAxisIndex: 1,
    symbol: 'none',
    areaStyle: { opacity: type === 'solid' ? 0.45 : 0.15 },
  })
  const reputation = splitAt(points, now, at, (point) => point.reputation)
  const accuracy = splitAt(points, now, at, (point) => point.accuracy)
  const time = { type: 'time', min: start(points, now), max: end(points, now) }
  const hidden = { axisLabel: { show: false }, axisTick: { show: false } }
  return {
    grid: [
      { left: 72, right: 24, top: 32, height: 150 },
      { left: 72, right: 24, top: 216, height: 44 },
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: {
      trigger: 'axis',
      formatter: (shown: { axisValue: number }[]) => {
        const moment = shown[0]?.axisValue ?? 0
        const point = points.findLast((one) => Date.parse(one.at) <= moment) ?? points[0]
        if (point === undefined) return ''
        const when = new Date(moment).toISOString().slice(0, 16).replace('T', ' ')
        return `${when} UTC${moment > now ? ', expected' : ''}<br>${said(point)}, claims: ${point.claims}`
      },
    },
    xAxis: [
      { ...time, ...hidden, gridIndex: 0, axisLine: { onZero: false } },
      { ...time, gridIndex: 1, axisLabel: { hideOverlap: true } },
    ],
    yAxis: [
      {
        ...named('Reputation'),
        min: -3,
        max: 3,
        interval: 1,
        axisLabel: { formatter: (value: number) => formatReputation(value) },
      },
      {
        ...named('Accuracy'),
        gridIndex: 1,
        min: 0,
        max: 3,
        interval: 3,
        axisLabel: { formatter: (value: number) => accuracyLabel(value) },
      },
    ],
    useUTC: true,
    series: [
      line('Reputation', reputation.past, 'solid'),
      line('Reputation, expected', reputation.future, 'dashed'),
      band('Accuracy', accuracy.past, 'solid'),
      band('Accuracy, expected', accuracy.future, 'dashed'),
      ...nowLines(now),
    ],
  }
}

const start = (points: readonly Point[], now: number): number => Math.min(Date.parse(points[0]?.at ?? ''), now) || now
const end = (points: readonly Point[], now: number): number => Math.max(Date.parse(points.at(-1)?.at ?? ''), now) || now

/** The name stands above the axis, at its left end. */
const named = (name: string) => ({ type: 'value', name, nameTextStyle: { align: 'right' }, nameGap: 10 })

/** Where now is, across both parts; the word stands above. */
const nowLines = (now: number) =>
  [-3, 0].map((bottom, grid) => ({
    name: 'Now',
    type: 'line',
    clip: false,
    xAxisIndex: grid,
    yAxisIndex: grid,
    symbol: 'none',
    silent: true,
    color: ACCURACY,
    lineStyle: { type: 'solid', width: 1 },
    data: [[now, bottom], { value: [now, 3], ...(grid === 0 && WORD) }],
  }))

const WORD = { symbol: 'circle', symbolSize: 1, label: { show: true, position: 'top', formatter: 'Now' } }
