import { Anchor, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../api/client.ts'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { useCaller } from '../../session/caller.ts'
import { NoTeam } from './NoTeam.tsx'
import { UsageTable } from './UsageTable.tsx'
import type { Services } from './usage.ts'

/** The usage of the quotas of the caller's team. */
export default function Quotas() {
  const caller = useCaller()
  const result = api.useQuery('get', '/api/billing/v1/quotas/usage', {}, { enabled: Boolean(caller?.customer) })
  if (caller === undefined) return <Loading />
  if (!caller?.customer) return <NoTeam>Instances and casework belong to a team, and so do their quotas.</NoTeam>
  return (
    <QueryResult of={result}>
      {({ services }) => (
        <Stack gap="md">
          {Object.entries(services as Services).map(([service, { features }]) => (
            <UsageTable key={service} service={service} features={features} now={0} />
          ))}
          <Anchor component={Link} href="/account/plan" size="sm" underline="always" w="fit-content">
            To raise the quotas, change the plan
          </Anchor>
        </Stack>
      )}
    </QueryResult>
  )
}
