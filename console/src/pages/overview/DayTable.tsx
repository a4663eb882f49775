import { Anchor, ScrollArea, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { searchLink } from '../../parts/figures/search-link.ts'
import { formatCount } from '../../parts/format/numbers.ts'
import type { Day } from './figures.ts'

/** The numbers behind the timeline, latest day first. */
export function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <details data-testid="days">
      <Text component="summary" size="xs" c="dimmed" py={4} style={{ cursor: 'pointer' }}>
        Numbers by day
      </Text>
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Numbers by day' }}>
        <Table verticalSpacing={2} stickyHeader aria-label="Entities by the day on which they were last seen">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day</Table.Th>
              <Table.Th ta="end">Entities</Table.Th>
              <Table.Th ta="end">Malicious</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.toReversed().map(({ day, count, malicious }) => (
              <Table.Tr key={day} data-testid="day" data-day={day}>
                <Table.Td>{day}</Table.Td>
                <Table.Td ta="end">
                  <DayCount count={count} day={day} malicious={false} />
                </Table.Td>
                <Table.Td ta="end">
                  {malicious === null ? '…' : <DayCount count={malicious} day={day} malicious={true} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </details>
  )
}

function DayCount({ count, day, malicious }: { count: number; day: string; malicious: boolean }) {
  if (count === 0) return <>0</>
  const seen = { from: day, to: day }
  const kind = malicious ? 'malicious entities' : 'entities'
  return (
    <Anchor
      component={Link}
      href={searchLink(malicious ? { seen, malicious } : { seen })}
      size="sm"
      display="inline-block"
      miw={24}
      mih={24}
      aria-label={`${formatCount(count)} ${kind} of ${day}: search`}
    >
      {formatCount(count)}
    </Anchor>
  )
}
