import { Anchor, Group, Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Chart } from '../../../parts/charts/Chart.tsx'
import { barChart } from './bar-chart.ts'
import type { AddClauses, AggregationResult, Bucket } from './results.ts'

/** Most rows of the table, and most bars that a reader can distinguish. */
const MAX_ROWS = 500
const MAX_BARS = 400
const MAX_INSIDE = 12

type Props = { of: Extract<AggregationResult, { is: 'buckets' }>; add: AddClauses | undefined }

/** Buckets as bars and as a table. A selected bucket becomes a condition of the search. */
export function Buckets({ of: { name, kind, buckets, otherCount: others }, add }: Props) {
  const shown = buckets.slice(0, MAX_BARS)
  const over = kind === 'date_histogram' || kind === 'histogram'
  const option = useMemo(
    () =>
      barChart(
        shown.map(({ name, count }) => ({ name, count })),
        over,
      ),
    [shown, over],
  )
  const pick = (_: string, index: number) => {
    // Horizontal bars are drawn from the bottom.
    const clause = shown[over ? index : shown.length - 1 - index]?.clause
    if (clause) add?.(clause)
  }
  if (buckets.length === 0) return <Text size="sm">No record has a value in this field.</Text>
  const numbers = [...new Set(buckets.flatMap((one) => [...one.numbers.keys()]))]
  const inside = [...new Set(buckets.flatMap((one) => [...one.inside.keys()]))]
  return (
    <>
      <Chart
        label={`${name}: ${buckets.length} buckets; the table below has their numbers`}
        option={option}
        height={over ? 220 : Math.max(90, Math.min(shown.length, 20) * 26 + 40)}
        pick={add ? pick : undefined}
      />
      <Table.ScrollContainer
        minWidth={240 + 90 * numbers.length + 200 * inside.length}
        maxHeight={320}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={`Table of ${name}`}
      >
        <Table verticalSpacing={3} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Bucket</Table.Th>
              <Table.Th ta="right">Records</Table.Th>
              {numbers.map((one) => (
                <Table.Th key={one} ta="right">
                  {one}
                </Table.Th>
              ))}
              {inside.map((one) => (
                <Table.Th key={one}>{one}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {buckets.slice(0, MAX_ROWS).map((one) => (
              <Table.Tr key={one.name}>
                <Table.Td>
                  <BucketName of={one} add={add} clauses={[one]} />
                </Table.Td>
                <Table.Td ta="right">{one.count.toLocaleString('en')}</Table.Td>
                {numbers.map((key) => (
                  <Table.Td key={key} ta="right">
                    {one.numbers.get(key) ?? '–'}
                  </Table.Td>
                ))}
                {inside.map((key) => (
                  <Table.Td key={key}>
                    <Group gap={8}>
                      {(one.inside.get(key) ?? []).slice(0, MAX_INSIDE).map((below) => (
                        <span key={below.name}>
                          <BucketName of={below} add={add} clauses={[one, below]} />{' '}
                          <Text span size="xs" c="dimmed">
                            {below.count.toLocaleString('en')}
                          </Text>
                        </span>
                      ))}
                    </Group>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        {others > 0 &&
          `${others.toLocaleString('en')} more records have values that are not listed. Increase the size to list them. `}
        {buckets.length > MAX_ROWS &&
          `The first ${MAX_ROWS} of ${buckets.length.toLocaleString('en')} buckets are listed.`}
      </Text>
    </>
  )
}

function BucketName({ of, add, clauses }: { of: Bucket; add: AddClauses | undefined; clauses: Bucket[] }) {
  const wanted = clauses.map(({ clause }) => clause)
  if (!add || wanted.includes(null)) return <span className="value">{of.name}</span>
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      className="value"
      ta="left"
      title="Filter by this value"
      aria-label={`Filter by ${clauses.map(({ name }) => name).join(', ')}`}
      onClick={() => add(...wanted.map((clause) => clause!))}
    >
      {of.name}
    </Anchor>
  )
}
