import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Chart } from '../../../parts/charts/Chart.tsx'
import type { Details } from '../answers.ts'

type Days = Details['activity']

/** Kept reports by day of the last month: bars, and the days with any as text. */
export function Activity({ days }: { days: Days }) {
  const option = useMemo(() => activityChart(days), [days])
  const busy = days.filter(({ count }) => count > 0)
  const total = busy.reduce((sum, { count }) => sum + count, 0)
  const label = `${total} ${total === 1 ? 'record' : 'records'} in the last ${days.length} days`
  return (
    <Stack gap="xs" component="section" aria-labelledby="activity">
      <Title order={2} size="h4" id="activity">
        Activity
      </Title>
      <Chart label={label} option={option} height={160} />
      <Text size="sm" data-testid="activity">
        {label}
        {busy.length > 0 && `: ${busy.map(({ timestamp, count }) => `${timestamp.slice(0, 10)}: ${count}`).join(', ')}`}
      </Text>
    </Stack>
  )
}

const activityChart = (days: Days) => ({
  grid: { left: 8, right: 8, top: 12, bottom: 8, containLabel: true },
  tooltip: { trigger: 'axis' },
  xAxis: { type: 'category', data: days.map(({ timestamp }) => timestamp.slice(5, 10)) },
  yAxis: { type: 'value', minInterval: 1 },
  series: [{ name: 'Records', type: 'bar', color: '#2da598', data: days.map(({ count }) => count) }],
})
