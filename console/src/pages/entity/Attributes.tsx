import { Code, Table } from '@mantine/core'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import type { Details } from './answers.ts'
import { EntityTable } from './EntityTable.tsx'
import { Copy } from './head/Copy.tsx'

/** Every attribute with the latest value that was reported of it. */
export function Attributes({ attributes }: { attributes: Details['extended_metadata'] }) {
  const all = Object.entries(attributes)
  if (all.length === 0)
    return (
      <EmptyState title="No attributes">
        Only the value was reported. Reports and scans can add attributes, such as a country, a registrar or a text.
      </EmptyState>
    )
  return (
    <EntityTable label="Attributes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Attribute</Table.Th>
          <Table.Th>Latest value</Table.Th>
          <Table.Th>Last reported</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map(([name, { label, value, last_seen: lastSeen }]) => (
          <Table.Tr key={name} data-testid="attribute">
            <Table.Td>
              {label} <Code>{name}</Code>
            </Table.Td>
            <Table.Td className="value" style={{ whiteSpace: 'pre-wrap' }}>
              {value} <Copy text={value} label={`Copy ${label}`} />
            </Table.Td>
            <Table.Td>
              <RelativeTime at={lastSeen} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </EntityTable>
  )
}
