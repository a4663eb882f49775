import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './WideTable.module.css'

type Props = {
  label: string
  /** Names of the columns; the last column holds the actions of a row. */
  columns: string[]
  /** Pixels under which the table scrolls inside of itself, by keys too. */
  minWidth: number
  /** Rows (`Table.Tr`). */
  children: ReactNode
}

/** A table that is wider than a narrow window and never makes the page so. */
export function WideTable({ label, columns, minWidth, children }: Props) {
  const viewportProps = { tabIndex: 0, role: 'region', 'aria-label': label }
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps }}>
      <Table verticalSpacing="xs" aria-label={label} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
