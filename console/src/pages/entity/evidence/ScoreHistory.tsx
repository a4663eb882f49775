import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { Chart } from '../../../parts/charts/Chart.tsx'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useNow } from '../../../parts/time/useNow.ts'
import { useAddress } from '../address.ts'
import type { ScorePoint } from '../answers.ts'
import { Changes } from './Changes.tsx'
import { scoreChart, summary } from './score-series.ts'
import { bounds, endOfMinute, POINTS, WINDOWS, windowOf } from './windows.ts'

const HEIGHT = 290
const MINUTE_MS = 60_000

type Moment = { at: string | null; choose: (at: string) => void }

/** How the score went and, if nothing more is reported, will go; a point chosen shows the claims of its moment. */
export function ScoreHistory({ id, ...moment }: Moment & { id: string }) {
  const [params, say] = useAddress()
  const shown = windowOf(params.get('window'))
  const asked = Date.now()
  const query = { ...bounds(shown, asked), points: POINTS }
  const scores = api.useQuery(
    'get',
    '/api/search/v1/entity/{id}/score-history',
    { params: { path: { id }, query } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="sm" component="section" aria-labelledby="score" data-testid="score-history">
      <Group justify="space-between" align="end" gap="xs">
        <Title order={2} size="h4" id="score">
          Score over time
        </Title>
        <NativeSelect
          size="xs"
          aria-label="Time range"
          data={WINDOWS.map(({ value, label }) => ({ value, label }))}
          value={shown.value}
          onChange={(event) => say({ window: event.currentTarget.value })}
        />
      </Group>
      <QueryResult of={scores} loading={<Loading height={HEIGHT} />}>
        {(points) => <ScoreChart points={points} present={endOfMinute(asked)} {...moment} />}
      </QueryResult>
    </Stack>
  )
}

type ChartProps = Moment & {
  points: ScorePoint[]
  /** The moment that the request counts as now, in unix milliseconds. */
  present: number
}

function ScoreChart({ points, present, at, choose }: ChartProps) {
  const now = Math.max(present, useNow(MINUTE_MS))
  const option = useMemo(() => scoreChart(points, at, now), [points, at, now])
  const pick = useCallback(
    (_: string, index: number) => {
      const point = points[index]
      if (point !== undefined) choose(point.at)
    },
    [points, choose],
  )
  return (
    <>
      <Chart label={summary(points, now)} option={option} height={HEIGHT} pick={pick} />
      <Text size="xs" c="dimmed">
        Solid is the past. Dashed is what is expected if nothing more is reported. Select a point to see its claims.
      </Text>
      <Changes points={points} at={at} now={now} choose={choose} />
    </>
  )
}
