import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of one thing: names and what they are, as rows. */
export function Facts({ label, rows }: { label: string; rows: [name: string, value: ReactNode][] }) {
  return (
    <Table aria-label={label} layout="fixed" verticalSpacing={4} withRowBorders={false}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={{ base: 120, sm: 190 }} fw={500} style={{ verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
