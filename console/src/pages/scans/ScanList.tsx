import { Badge, Table, UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Nothing } from '../../parts/feedback/EmptyState.tsx'
import { Answered } from '../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../parts/tables/Pager.tsx'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { duration } from '../../parts/time/duration.ts'
import { When } from '../../parts/time/RelativeTime.tsx'
import { useNow } from '../../parts/time/useNow.ts'
import { goesOn, type Scan, STATES, type State, tookMs } from './states.ts'

const LIMIT = 20
const LIVE_MS = 2_000
const CALM_MS = 15_000

type Props = {
  every: boolean
  status: State | null
  page: number
  setPage: (page: number) => void
  open: (id: string) => void
}

/** Scans, newest first; asked again more often while one goes on. */
export function ScanList({ every, status, page, setPage, open }: Props) {
  const query = { page, limit: LIMIT, ...(status === null ? {} : { status }) }
  const options = {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }: { state: { data?: { results: Scan[] } | undefined } }) =>
      state.data?.results.some(goesOn) ? LIVE_MS : CALM_MS,
  }
  const own = api.useQuery('get', '/api/ingest/v1/scans', { params: { query } }, { ...options, enabled: !every })
  const all = api.useQuery('get', '/api/ingest/v1/admin/scans', { params: { query } }, { ...options, enabled: every })
  return (
    <Answered of={every ? all : own}>
      {({ results, items, pages }) =>
        results.length === 0 ? (
          <Nothing title={status === null ? 'No scan yet' : `No scan is ${STATES[status].label.toLowerCase()}`}>
            {status === null ? 'Name an address or a host above.' : 'Choose another state, or any.'}
          </Nothing>
        ) : (
          <>
            <ScrollTable
              label="Scans"
              minWidth={620}
              columns={[
                'Target',
                ['State', 120],
                ['Asked', 150],
                ['Took', 110],
                ['Found', 80],
                ...(every ? ['By'] : []),
              ]}
            >
              {results.map((scan) => (
                <Line
                  key={scan.id}
                  scan={scan}
                  by={every ? String((scan as { userID?: string }).userID) : null}
                  open={open}
                />
              ))}
            </ScrollTable>
            <Pager page={page} pages={pages} items={items} change={setPage} />
          </>
        )
      }
    </Answered>
  )
}

function Line({ scan, by, open }: { scan: Scan; by: string | null; open: (id: string) => void }) {
  const now = useNow()
  const took = tookMs(scan, now)
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
        <When at={scan.createdAt} />
      </Table.Td>
      <Table.Td>{took === null ? '—' : took < 1_000 ? 'under 1 s' : duration(took)}</Table.Td>
      <Table.Td>{scan.entities}</Table.Td>
      {by !== null && (
        <Table.Td className="value" fz="xs">
          {scan.priority === 'automatic' ? 'automatic' : by}
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** A state by its sign and word. */
export function ScanState({ of }: { of: State }) {
  const { label, sign } = STATES[of]
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
