import { Badge, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import type { Go, SearchAddress } from '../question/address.ts'
import type { ResultRow } from './rows.ts'

const MAX_SHOWN = 300
const MAX_TAGS = 6

type Props = { rows: ResultRow[]; address: SearchAddress; go: Go }

/** `field` is the field to sort by; null: the column does not sort. */
type Column = { label: string; field: string | null; visibleFrom?: 'sm' }

/** Results as rows; the heads of what can be sorted by sort. */
export function ResultTable({ rows, address, go }: Props) {
  const history = address.index === 'history'
  const columns: Column[] = [
    { label: 'Score', field: 'reputation' },
    { label: 'Type', field: 'type', visibleFrom: 'sm' },
    { label: 'Value', field: null },
    { label: 'Tags', field: null, visibleFrom: 'sm' },
    history ? { label: 'Reported', field: '@timestamp' } : { label: 'Last seen', field: 'lastSeen' },
  ]
  return (
    <Table.ScrollContainer minWidth={320} type="native" tabIndex={0} role="region" aria-label="Results">
      <Table striped highlightOnHover verticalSpacing={6} data-testid="results">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.label} {...column} address={address} go={go} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <ResultLine key={row.key} row={row} history={history} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Head({ label, field, address, go, ...visible }: Column & Pick<Props, 'address' | 'go'>) {
  if (field === null) return <Table.Th {...visible}>{label}</Table.Th>
  // Of a history record both moments are the same.
  const sorted = address.sort === field || (field === '@timestamp' && address.sort === 'lastSeen')
  const rising = sorted && address.order === 'asc'
  return (
    <Table.Th {...visible} aria-sort={sorted ? (rising ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton fw={700} fz="sm" onClick={() => go({ sort: field, order: sorted && !rising ? 'asc' : 'desc' })}>
        {label} <span aria-hidden>{sorted ? (rising ? '↑' : '↓') : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  )
}

function ResultLine({ row, history }: { row: ResultRow; history: boolean }) {
  const value = row.value ?? row.entityId ?? row.key
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
  const at = history ? row.first : row.last
  return (
    <Table.Tr>
      <Table.Td>
        {row.reputation !== null && (
          <Group gap={4}>
            <Reputation of={row.reputation} accuracy={row.accuracy ?? undefined} />
            {row.accuracy !== null && <Accuracy of={row.accuracy} />}
          </Group>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">{row.type}</Table.Td>
      <Table.Td maw={420}>
        {/* On a phone the type stands over the value. */}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {row.type}
        </Text>
        {row.entityId ? <EntityLink id={row.entityId} value={shown} /> : <span className="value">{shown}</span>}
        {row.wellKnown && (
          <Badge ml={6} size="sm" variant="outline" tt="none">
            well known
          </Badge>
        )}
      </Table.Td>
      <Table.Td maw={240} visibleFrom="sm">
        <Text size="xs">
          {row.tags.slice(0, MAX_TAGS).join(' · ')}
          {row.tags.length > MAX_TAGS && ` and ${row.tags.length - MAX_TAGS} more`}
        </Text>
      </Table.Td>
      <Table.Td>{at && <RelativeTime at={at} />}</Table.Td>
    </Table.Tr>
  )
}
