import { Group, SegmentedControl } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { LiveSwitch } from '../../parts/live/LiveSwitch.tsx'
import { choice } from '../../parts/page/choice.ts'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { useMay } from '../../session/caller.ts'
import { DemoLoad } from './DemoLoad.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { OverviewContent } from './OverviewContent.tsx'
import { OverviewLoading } from './OverviewLoading.tsx'

/** Loaded when it is turned on. */
const LiveChanges = lazy(() => import('./LiveChanges.tsx'))

const WINDOWS = ['7', '30', '60', '90'] as const

/** The number of entities, the malicious share, and when they were last seen. */
export default function Overview() {
  const [parameter, change] = useParameter('days')
  const [live, setLive] = useParameter('live')
  const days = choice(WINDOWS, parameter, '30')
  const mayLoad = useMay('auth_admin')
  const answer = api.useQuery('get', '/api/analytics/v1/overview', { params: { query: { days: Number(days) } } })
  return (
    <Page
      title="Overview"
      about="Entities that you may read, by the day on which they were last seen (UTC). Select a number to see its entities."
      controls={
        <Group gap="sm">
          <SegmentedControl
            aria-label="Time range"
            size="sm"
            value={days}
            onChange={change}
            data={WINDOWS.map((value) => ({ value, label: `${value} days` }))}
          />
          <LiveSwitch on={live === 'on'} change={(on) => setLive(on ? 'on' : '')} />
        </Group>
      }
    >
      {live === 'on' && (
        <Suspense fallback={null}>
          <LiveChanges />
        </Suspense>
      )}
      <QueryResult of={answer} loading={<OverviewLoading />}>
        {(overview) =>
          overview.total_entities === 0 ? (
            <FirstSteps />
          ) : (
            <>
              {mayLoad && <DemoLoad offered={false} />}
              <OverviewContent overview={overview} />
            </>
          )
        }
      </QueryResult>
    </Page>
  )
}
