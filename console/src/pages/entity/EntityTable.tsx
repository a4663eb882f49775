import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { label: string; minWidth?: number; children: ReactNode }

/** A table that scrolls by itself where the window is narrower than it, also by keyboard. */
export function EntityTable({ label, minWidth = 640, children }: Props) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table striped highlightOnHover verticalSpacing={6} fz="sm" aria-label={label}>
        {children}
      </Table>
    </Table.ScrollContainer>
  )
}
