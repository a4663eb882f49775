import { Anchor, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCount, formatShare } from '../format/numbers.ts'
import classes from './BarTable.module.css'

export type Bar = {
  key: string
  /** What people read; `key` when left out. */
  name?: ReactNode
  count: number
  /** The search that explains the count. */
  href: string
  /** A colour of the theme. */
  colour?: string
}

type Props = {
  /** The accessible name of the table. */
  label: string
  /** Heading of the names. */
  what: string
  bars: readonly Bar[]
  /** Shows numbers without bars, for tables next to a chart. */
  bare?: boolean
  /** What the shares are of; bars alone without it. */
  total?: number
}

/** Counts as bars and numbers, each with its share and a link to what it counts. */
export function BarTable({ label, what, bars, total, bare = false }: Props) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <Table className={classes.table} verticalSpacing={2} horizontalSpacing={6} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{what}</Table.Th>
          <Table.Th ta="end" w={90}>
            Entities
          </Table.Th>
          {total !== undefined && (
            <Table.Th ta="end" w={70}>
              Share
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bars.map(({ key, name = key, count, href, colour = 'harrier' }) => (
          <Table.Tr key={key} data-testid="bar" data-key={key}>
            <Table.Td>
              <div className={classes.name}>{name}</div>
              {!bare && (
                <div className={classes.track} aria-hidden>
                  <div
                    className={classes.bar}
                    style={{
                      width: `max(${count === 0 ? 0 : 2}px, ${(100 * count) / most}%)`,
                      background: `var(--mantine-color-${colour}-6)`,
                    }}
                  />
                </div>
              )}
            </Table.Td>
            <Table.Td ta="end" className={classes.number} data-testid="count">
              {count === 0 ? (
                '0'
              ) : (
                <Anchor
                  component={Link}
                  href={href}
                  size="sm"
                  aria-label={`${formatCount(count)}: search ${what} ${key}`}
                >
                  {formatCount(count)}
                </Anchor>
              )}
            </Table.Td>
            {total !== undefined && (
              <Table.Td ta="end" className={classes.number} data-testid="share">
                {formatShare(count, total)}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
