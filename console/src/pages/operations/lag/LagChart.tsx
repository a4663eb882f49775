import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { Chart } from '../../../parts/charts/Chart.tsx'
import { type LagSample, laggingGroups } from './history.ts'

/** Lag of the groups that were behind, since the page was opened. The numbers of now are in the table below. */
export function LagChart({ looks }: { looks: readonly LagSample[] }) {
  const option = useMemo(() => {
    const names = laggingGroups(looks)
    return {
      grid: { left: 8, right: 16, top: 32, bottom: 8, outerBoundsMode: 'same' },
      legend: { type: 'plain', top: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'time' },
      yAxis: { type: 'value', minInterval: 1, min: 0 },
      series: names.map((name) => ({
        name,
        type: 'line',
        showSymbol: false,
        step: 'end',
        data: looks.map(({ at, byGroup }) => [at, byGroup[name] ?? 0]),
      })),
    }
  }, [looks])
  if (option.series.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No consumer has lagged since this page was opened. A chart appears when one does.
      </Text>
    )
  return (
    <Chart
      label={`Lag since this page was opened, of ${laggingGroups(looks).join(', ')}`}
      option={option}
      height={220}
    />
  )
}
