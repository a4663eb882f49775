import { Group, Table, Text } from '@mantine/core'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { LOOKUP_STATES, type LookupOutcome } from './outcomes.ts'

/** The outcome of each value. */
export function BulkTable({ rows }: { rows: LookupOutcome[] }) {
  return (
    <Table.ScrollContainer minWidth={820} type="native" tabIndex={0} role="region" aria-label="Values">
      <Table striped highlightOnHover verticalSpacing={5} data-testid="bulk">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Score</Table.Th>
            <Table.Th>Tags</Table.Th>
            <Table.Th>Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <OutcomeRow key={row.value} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function OutcomeRow({ row }: { row: LookupOutcome }) {
  const text = row.value.length > 200 ? `${row.value.slice(0, 200)}…` : row.value
  return (
    <Table.Tr>
      <Table.Td maw={380}>
        {row.id ? <EntityLink id={row.id} value={text} /> : <span className="value">{text}</span>}
        {row.networks.map(({ id, value }) => (
          <Text key={id} size="xs">
            in <EntityLink id={id} value={value} />
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={row.state === 'found' ? 600 : 400}>
          {LOOKUP_STATES[row.state]}
        </Text>
      </Table.Td>
      <Table.Td>{row.type}</Table.Td>
      <Table.Td>
        {row.reputation !== null && (
          <Group gap="xs" wrap="nowrap">
            <Reputation of={row.reputation} />
            <Accuracy of={row.accuracy ?? 0} />
          </Group>
        )}
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="xs">{row.tags.slice(0, 6).join(' · ')}</Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.last && <RelativeTime at={row.last} />}</Table.Td>
    </Table.Tr>
  )
}
