import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { asProblem, type Problem } from '../../../api/problem.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import { MatchDialog } from '../../../parts/match/MatchDialog.tsx'
import { MatchTable } from '../../../parts/match/MatchTable.tsx'
import type { Match } from '../../../parts/match/match.ts'
import { NotAReader } from '../../../parts/match/NotAReader.tsx'
import { isUnreadable } from '../../../parts/match/unreadable.ts'
import { useMatches } from '../../../parts/match/useMatches.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { FilterBar } from './FilterBar.tsx'
import { HostTable, IndicatorTable } from './GroupTables.tsx'
import { MatchTimeline } from './MatchTimeline.tsx'
import { Nothing } from './Nothing.tsx'
import { type Filters, PERIODS, useFilters } from './useFilters.ts'

/** `/matches`: what telemetry met, newest first. */
export default function MatchList() {
  const filters = useFilters()
  const { direction, entity, since, withdrawn } = filters
  const answer = useMatches({ direction, entity, within: PERIODS[since].ms })
  const loaded = useMemo(() => answer.data?.pages.flatMap(({ items }) => items), [answer.data])
  const shown = useMemo(
    () => loaded?.filter(({ withdrawnAt }) => withdrawn || withdrawnAt === undefined),
    [loaded, withdrawn],
  )
  if (isUnreadable(answer.error)) return <NotAReader />
  const again = (): void => void answer.refetch()
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end" gap="sm">
        <FilterBar filters={filters} reading={answer.isFetching} again={again} />
        <Button size="xs" variant="default" component={Link} href="/matches/sensors">
          Connect a sensor
        </Button>
      </Group>
      {answer.error !== null && (
        <ErrorAlert error={answer.error} again={again} explanation={explanationOf(asProblem(answer.error))} />
      )}
      {shown === undefined ? (
        answer.error === null && <Loading lines={8} />
      ) : (
        <Found filters={filters} shown={shown} left={(loaded?.length ?? 0) - shown.length} more={answer.hasNextPage} />
      )}
      {answer.hasNextPage && (
        <Button
          variant="default"
          size="sm"
          w="fit-content"
          loading={answer.isFetchingNextPage}
          onClick={() => void answer.fetchNextPage()}
        >
          Show older matches
        </Button>
      )}
    </Stack>
  )
}

type FoundProps = { filters: Filters; shown: readonly Match[]; left: number; more: boolean }

/** @param left withdrawn matches that were loaded and are not shown */
function Found({ filters, shown, left, more }: FoundProps) {
  const [opened, setOpened] = useParameter('match')
  const match = shown.find(({ id }) => id === opened)
  if (shown.length === 0 && !more) return <Nothing narrowed={filters.narrowed} />
  return (
    <>
      <MatchTimeline matches={shown} />
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" role="status" data-testid="shown">
          {formatCount(shown.length)} shown{left > 0 && `, ${formatCount(left)} withdrawn left out`}
          {more ? '; there are older ones.' : '.'}
        </Text>
        <SegmentedControl
          aria-label="View"
          size="xs"
          value={filters.view}
          onChange={filters.setView}
          data={[
            { value: 'list', label: 'List' },
            { value: 'hosts', label: 'By host' },
            { value: 'indicators', label: 'By indicator' },
          ]}
        />
      </Group>
      {filters.view === 'hosts' && <HostTable matches={shown} />}
      {filters.view === 'indicators' && <IndicatorTable matches={shown} only={filters.setEntity} />}
      {filters.view === 'list' && <MatchTable matches={shown} open={({ id }) => setOpened(id)} />}
      {match !== undefined && <MatchDialog match={match} close={() => setOpened('')} />}
    </>
  )
}

/** An id is typed or pasted: a malformed one is no fault of the platform. */
const explanationOf = ({ status, param }: Problem) =>
  status === 400 && param === 'entity'
    ? {
        title: 'This is not the id of an entity',
        text: 'Copy the id from the page of an entity: it begins with the type.',
      }
    : undefined
