import { Button, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../../parts/format/numbers.ts'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import { EntityTable } from '../EntityTable.tsx'
import type { SeenRow } from './seen.ts'

const PAGE = 20

/** Rows of the ledger, newest hour first, some at a time. */
export function SeenRows({ rows }: { rows: readonly SeenRow[] }) {
  const [shown, setShown] = useState(PAGE)
  const left = rows.length - shown
  return (
    <Stack gap="xs">
      <EntityTable label="Seen here by hour" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Hour</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>Field</Table.Th>
            <Table.Th ta="end">Events</Table.Th>
            <Table.Th>Hosts</Table.Th>
            <Table.Th>References</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, shown).map(({ hour, value, field, count, hosts, refs }) => (
            <Table.Tr key={`${hour} ${field} ${value}`} data-testid="seen-row">
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatInstant(hour)}</Table.Td>
              <Table.Td className="value">{value}</Table.Td>
              <Table.Td>{field}</Table.Td>
              <Table.Td ta="end">{formatCount(count)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{hosts.join(', ') || '—'}</Table.Td>
              <Table.Td maw={260}>
                <Text size="sm" lineClamp={3} className="value">
                  {refs.join(', ') || '—'}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </EntityTable>
      {left > 0 && (
        <Button variant="default" size="xs" w="fit-content" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, left)} more rows
        </Button>
      )}
    </Stack>
  )
}
