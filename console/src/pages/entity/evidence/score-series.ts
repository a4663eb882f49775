import type { EChartsCoreOption } from 'echarts/core'
import { accuracyLabel, formatReputation, reputationLabel } from '../../../parts/entity/scores.ts'

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

/** One sentence that says what the chart shows. */
export function summary(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return 'No scores'
  const scores = points.map(({ reputation }) => reputation)
  const range = `between ${formatReputation(Math.min(...scores))} and ${formatReputation(Math.max(...scores))}`
  const ends = `from ${formatReputation(first.reputation)} on ${first.at.slice(0, 10)} to ${formatReputation(last.reputation)} on ${last.at.slice(0, 10)}`
  return `Reputation and accuracy at ${points.length} moments: reputation ${range}, ${ends}`
}

const LARGE = 13
const SMALL = 5

/**
 * Reputation and accuracy as lines that hold from point to point; the point that is looked at is larger.
 * @param at ISO 8601; null: now
 */
export function scoreChart(points: readonly Point[], at: string | null): EChartsCoreOption {
  const series = (name: string, of: (point: Point) => number, colour: string, type: 'solid' | 'dashed') => ({
    name,
    type: 'line',
    step: 'end',
    showAllSymbol: true,
    symbol: 'circle',
    color: colour,
    lineStyle: { type, width: 2 },
    data: points.map((point) => ({
      value: [Date.parse(point.at), of(point)],
      symbolSize: point.at === at ? LARGE : SMALL,
    })),
  })
  return {
    grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
    legend: { top: 0, left: 0 },
    tooltip: {
      trigger: 'axis',
      formatter: (shown: { dataIndex: number }[]) => {
        const point = points[shown[0]?.dataIndex ?? -1]
        if (point === undefined) return ''
        const { reputation, accuracy, claims } = point
        const when = point.at.slice(0, 16).replace('T', ' ')
        return `${when} UTC<br>${reputationLabel(reputation)} ${formatReputation(reputation)}, accuracy ${accuracyLabel(accuracy)}, claims: ${claims}`
      },
    },
    xAxis: { type: 'time', axisLine: { onZero: false }, axisLabel: { hideOverlap: true } },
    yAxis: {
      type: 'value',
      min: -3,
      max: 3,
      interval: 1,
      axisLabel: { formatter: (value: number) => formatReputation(value) },
    },
    useUTC: true,
    series: [
      series('Reputation', ({ reputation }) => reputation, '#2da598', 'solid'),
      series('Accuracy', ({ accuracy }) => accuracy, '#8a8f98', 'dashed'),
    ],
  }
}
