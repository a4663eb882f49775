import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table of names and values, one pair a row. */
export function Facts({ label, rows }: { label: string; rows: [name: string, value: ReactNode][] }) {
  return (
    <Paper withBorder>
      <Table aria-label={label} layout="fixed" verticalSpacing="xs">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={{ base: 96, sm: 160 }} fw={500} c="dimmed" ta="left">
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
