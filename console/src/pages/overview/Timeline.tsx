import { Group, Paper, Text, Title, useComputedColorScheme } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import { Chart } from '../../parts/charts/Chart.tsx'
import { searchLink } from '../../parts/figures/search-link.ts'
import { formatCount } from '../../parts/format/numbers.ts'
import { DayTable } from './DayTable.tsx'
import type { Day } from './figures.ts'
import { timelineOption } from './timeline-option.ts'

/** Entities by the day on which they were last seen. A day leads to its entities. */
export function Timeline({ days, window }: { days: readonly Day[]; window: number }) {
  const dark = useComputedColorScheme('light') === 'dark'
  const [, go] = useLocation()
  const option = useMemo(() => timelineOption(days, dark), [days, dark])
  const pick = useCallback(
    (_: string, index: number) => {
      const day = days[index]?.day
      if (day) go(searchLink({ seen: { from: day, to: day } }))
    },
    [days, go],
  )
  const sum = days.reduce((before, { count }) => before + count, 0)
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), days[0]!)
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="timeline" data-testid="timeline">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h5" id="timeline">
          Last seen by day
        </Title>
        <Text size="xs" c="dimmed">
          most on {most.day}: {formatCount(most.count)}
        </Text>
      </Group>
      <Chart
        height={230}
        label={`Entities by the day on which they were last seen: ${formatCount(sum)} in ${window} days, most on ${most.day} with ${formatCount(most.count)}. The table below has all days.`}
        option={option}
        pick={pick}
      />
      <DayTable days={days} />
    </Paper>
  )
}
