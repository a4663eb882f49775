import { ScrollArea, Table, Text } from '@mantine/core'
import { formatCount } from '../format/numbers.ts'
import { bucketName, type SeriesLook, type Timeline } from './time-buckets.ts'

type Props<Series extends string> = {
  /** The accessible name of the table. */
  label: string
  timeline: Timeline<Series>
  looks: readonly SeriesLook<Series>[]
}

/** The numbers behind a timeline, latest first; hours and days without any are left out. */
export function BucketTable<Series extends string>({ label, timeline: { unit, buckets }, looks }: Props<Series>) {
  const busy = buckets.filter(({ counts }) => looks.some(({ series }) => counts[series] > 0))
  const title = `Numbers by ${unit} (UTC)`
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed" py={4} style={{ cursor: 'pointer' }}>
        {title}
      </Text>
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': title }}>
        <Table verticalSpacing={2} stickyHeader aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th tt="capitalize">{unit}</Table.Th>
              {looks.map(({ series, name }) => (
                <Table.Th key={series} ta="end">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {busy.toReversed().map(({ start, counts }) => (
              <Table.Tr key={start} data-testid="bucket">
                <Table.Td>{bucketName(start, unit)}</Table.Td>
                {looks.map(({ series }) => (
                  <Table.Td key={series} ta="end">
                    {formatCount(counts[series])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </details>
  )
}
