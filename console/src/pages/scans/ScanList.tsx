import { Badge, Table, UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { withName } from '../../parts/format/ids.ts'
import { useNames } from '../../parts/format/useNames.ts'
import { Pager } from '../../parts/tables/Pager.tsx'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { formatDuration } from '../../parts/time/duration.ts'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import { useNow } from '../../parts/time/useNow.ts'
import { isActive, SCAN_STATES, type Scan, type ScanStatus, scanDurationMs } from './states.ts'

const LIMIT = 20
const LIVE_MS = 2_000
const CALM_MS = 15_000

type Props = {
  every: boolean
  status: ScanStatus | null
  page: number
  setPage: (page: number) => void
  open: (id: string) => void
}

/** Scans, newest first. The list refreshes more often while a scan runs. */
export function ScanList({ every, status, page, setPage, open }: Props) {
  const query = { page, limit: LIMIT, ...(status === null ? {} : { status }) }
  const options = {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }: { state: { data?: { results: Scan[] } | undefined } }) =>
      state.data?.results.some(isActive) ? LIVE_MS : CALM_MS,
  }
  const own = api.useQuery('get', '/api/ingest/v1/scans', { params: { query } }, { ...options, enabled: !every })
  const all = api.useQuery('get', '/api/ingest/v1/admin/scans', { params: { query } }, { ...options, enabled: every })
  const names = useNames(every ? (all.data?.results ?? []).map(requesterOf) : [])
  return (
    <QueryResult of={every ? all : own}>
      {({ results, items, pages }) =>
        results.length === 0 ? (
          <EmptyState
            title={
              items > 0
                ? 'No such page'
                : status === null
                  ? 'No scan yet'
                  : `No scan is ${SCAN_STATES[status].label.toLowerCase()}`
            }
          >
            {items > 0
              ? 'The list ends before this page.'
              : status === null
                ? 'Enter an address or a host above.'
                : 'Choose another state.'}
          </EmptyState>
        ) : (
          <>
            <ScrollTable
              label="Scans"
              minWidth={620}
              columns={[
                'Target',
                ['State', 120],
                ['Requested', 150],
                ['Duration', 110],
                ['Entities', 80],
                ...(every ? ['Requested by'] : []),
              ]}
            >
              {results.map((scan) => (
                <ScanRow key={scan.id} scan={scan} by={every ? requesterOf(scan) : null} names={names} open={open} />
              ))}
            </ScrollTable>
            <Pager page={page} pages={pages} items={items} change={setPage} />
          </>
        )
      }
    </QueryResult>
  )
}

/** Who asked for it: an id, which only administrators are told. */
const requesterOf = (scan: Scan): string => String((scan as { userID?: string }).userID)

type ScanRowProps = {
  scan: Scan
  by: string | null
  names: ReadonlyMap<string, string>
  open: (id: string) => void
}

function ScanRow({ scan, by, names, open }: ScanRowProps) {
  const now = useNow()
  const took = scanDurationMs(scan, now)
  return (
    <Table.Tr data-testid="scan">
      <Table.Td>
        <UnstyledButton className="value" fz="sm" td="underline" onClick={() => open(scan.id)}>
          {scan.target}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <ScanState of={scan.status} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={scan.createdAt} />
      </Table.Td>
      <Table.Td>{took === null ? '—' : took < 1_000 ? 'under 1 s' : formatDuration(took)}</Table.Td>
      <Table.Td>{scan.entities}</Table.Td>
      {by !== null && (
        <Table.Td className="value" fz="xs" title={by}>
          {scan.priority === 'automatic' ? 'automatic' : withName(by, names)}
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** A state by its sign and word. */
export function ScanState({ of }: { of: ScanStatus }) {
  const { label, sign } = SCAN_STATES[of]
  return (
    <Badge
      variant="outline"
      color={of === 'permanent_failure' ? 'red' : 'gray'}
      c="var(--mantine-color-text)"
      tt="none"
    >
      <span aria-hidden>{sign} </span>
      {label}
    </Badge>
  )
}
