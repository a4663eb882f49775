import { Alert, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { asProblem } from '../../api/problem.ts'
import { useFigureSearch } from '../../parts/figures/useFigureSearch.ts'
import { Breakdowns } from './Breakdowns.tsx'
import {
  daysOf,
  type OverviewAnswer,
  totalFigures,
  type WindowAnswer,
  windowFigures,
  windowOf,
  windowSearch,
} from './figures.ts'
import { NoRecentEntities } from './NoRecentEntities.tsx'
import { BreakdownsLoading } from './OverviewLoading.tsx'
import { Tiles } from './Tiles.tsx'
import { Timeline } from './Timeline.tsx'

/**
 * The figures of all entities next to those of the window. The overview route answers the first; a search over the
 * window answers the second. Without the search, the page shows the figures of all entities and says so.
 */
export function OverviewContent({ overview }: { overview: OverviewAnswer }) {
  const { from, to } = windowOf(overview)
  const search = useMemo(() => windowSearch({ from, to }), [from, to])
  const result = useFigureSearch<NonNullable<WindowAnswer['aggregations']>>(search)
  const days = useMemo(() => daysOf(overview, result.data), [overview, result.data])
  const stock = totalFigures(overview)
  const seen = result.data && windowFigures({ from, to }, result.data)
  return (
    <Stack gap="md">
      <Tiles days={overview.window.days} stock={stock} seen={seen ?? null} />
      {seen?.entities === 0 ? (
        <NoRecentEntities days={overview.window.days} />
      ) : (
        <Timeline days={days} window={overview.window.days} />
      )}
      {result.error ? (
        <Alert color="yellow" title="The breakdowns cover all entities">
          The search over the time range failed: {asProblem(result.error).message}.
        </Alert>
      ) : null}
      {seen === undefined && !result.error ? (
        <BreakdownsLoading />
      ) : seen?.entities === 0 ? null : (
        <Breakdowns
          figures={seen ?? stock}
          scope={seen ? `last seen in ${overview.window.days} days` : 'all entities'}
        />
      )}
    </Stack>
  )
}
