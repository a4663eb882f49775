import { Paper, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Chart } from '../charts/Chart.tsx'
import { formatCount } from '../format/numbers.ts'
import { BucketTable } from './BucketTable.tsx'
import { type SeriesLook, type Timeline, timelineOption } from './time-buckets.ts'

type Props<Series extends string> = {
  title: string
  /** What is counted, in the plural: `matches`. */
  what: string
  timeline: Timeline<Series>
  looks: readonly SeriesLook<Series>[]
  /** Pixels. */
  height?: number
}

/** Counts by hour or by day as bars, with the same numbers as a table. */
export function TimeChart<Series extends string>({ title, what, timeline, looks, height = 190 }: Props<Series>) {
  const option = useMemo(() => timelineOption(timeline, looks), [timeline, looks])
  const sums = looks.map(({ series, name }) => {
    const sum = timeline.buckets.reduce((before, { counts }) => before + counts[series], 0)
    return `${formatCount(sum)} ${name}`
  })
  const label = `${title} by ${timeline.unit}: ${sums.join(', ')}. The table below has the numbers.`
  return (
    <Paper withBorder p="sm" component="section" aria-label={title} data-testid="timeline">
      <Title order={3} size="h5">
        {title}{' '}
        <Text span size="xs" c="dimmed" fw={400}>
          {what} by {timeline.unit}, UTC
        </Text>
      </Title>
      <Chart label={label} option={option} height={height} />
      <BucketTable label={title} timeline={timeline} looks={looks} />
    </Paper>
  )
}
