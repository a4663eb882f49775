import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  label: string
  /** Names of the columns; with a width in pixels where it is fixed. */
  columns: (string | [name: string, width: number])[]
  /** Pixels under which the table scrolls inside of itself, by keys too. */
  minWidth: number
  /** Rows (`Table.Tr`). */
  children: ReactNode
}

/** A list as a table: wider than a narrow window, and never making the page so. For rows without actions at their end. */
export function ScrollTable({ label, columns, minWidth, children }: Props) {
  const viewportProps = { tabIndex: 0, role: 'region', 'aria-label': label }
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps }}>
      <Table verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => {
              const [name, width] = typeof column === 'string' ? [column, undefined] : column
              return (
                <Table.Th key={name} w={width}>
                  {name}
                </Table.Th>
              )
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
