import { Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import { BarTable } from '../../parts/charts/BarTable.tsx'
import { Chart } from '../../parts/charts/Chart.tsx'
import { searchLink } from '../../parts/figures/search-link.ts'
import { formatCount, formatShare } from '../../parts/format/numbers.ts'
import { barOption } from './bar-option.ts'
import { type Bucket, type Dimension, entitiesAt, nameOf, type Which } from './dimensions.ts'

type Props = {
  dimension: Dimension
  buckets: readonly Bucket[]
  which: Which
  total: number | null
  size: number
  /** Above the chart and the table. */
  children?: ReactNode
}

/** How many bars a chart has; the table beside it has all. */
const BARS = 20
const ROW = 25

/** One dimension: its largest buckets as a chart, all of them as a table. */
export function DimensionPanel({ dimension, buckets, which, total, size, children }: Props) {
  const [, go] = useLocation()
  const top = useMemo(() => buckets.slice(0, BARS), [buckets])
  const option = useMemo(
    () =>
      barOption(
        top.map((bucket) => ({ name: nameOf(dimension, bucket), count: bucket.count })),
        which.malicious,
      ),
    [top, dimension, which],
  )
  const pick = useCallback(
    (_: string, index: number) => {
      const bucket = top[index]
      if (bucket) go(searchLink(entitiesAt(dimension, bucket.key, which)))
    },
    [top, dimension, which, go],
  )
  const listed = buckets.reduce((sum, { count }) => sum + count, 0)
  const rest = total === null ? 0 : total - listed
  const largest = top
    .slice(0, 3)
    .map((bucket) => `${nameOf(dimension, bucket)} ${formatCount(bucket.count)}`)
    .join(', ')
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={dimension.id} data-testid={dimension.id}>
      <Title order={2} size="h5" id={dimension.id} mb="xs">
        {dimension.title}
      </Title>
      {buckets.length > 0 && children}
      {buckets.length === 0 ? (
        <Text size="sm" c="dimmed">
          No data.
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Chart
            height={Math.max(3, top.length) * ROW + 30}
            label={`${dimension.title} with the most entities: ${largest}. The table has all numbers.`}
            option={option}
            pick={pick}
          />
          <div>
            <BarTable
              label={dimension.title}
              what={dimension.what}
              bare
              {...(total === null ? {} : { total })}
              bars={buckets.map((bucket) => ({
                key: bucket.key,
                name: nameOf(dimension, bucket),
                count: bucket.count,
                href: searchLink(entitiesAt(dimension, bucket.key, which)),
              }))}
            />
            {total !== null && rest > 0 && (
              <Text size="xs" c="dimmed" mt={4} data-testid="rest">
                {formatCount(rest)} more ({formatShare(rest, total)}){' '}
                {buckets.length < size ? 'have no known location.' : 'are in other rows, or have no known location.'}
              </Text>
            )}
          </div>
        </SimpleGrid>
      )}
    </Paper>
  )
}
