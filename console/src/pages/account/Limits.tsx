import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { api } from '../../api/client.ts'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatDuration } from '../../parts/time/duration.ts'
import { useNow } from '../../parts/time/useNow.ts'
import { useSignedIn } from '../../session/caller.ts'
import { UsageTable } from './UsageTable.tsx'
import { filterLabel, filterServices, type Services, USAGE_FILTERS, type UsageFilter } from './usage.ts'

const EVERY = { refetchInterval: 5_000, staleTime: 0, placeholderData: keepPreviousData }

/** The usage of the caller's limits: those of its team, its own without a team, those of the address if anonymous. */
export default function Limits() {
  const signedIn = useSignedIn()
  const own = api.useQuery('get', '/api/billing/v1/limits/usage', {}, { ...EVERY, enabled: signedIn })
  const ofAddress = api.useQuery('get', '/api/billing/v1/limits/usage/ip', {}, { ...EVERY, enabled: !signedIn })
  const result = signedIn ? own : ofAddress
  const [search, setSearch] = useSearchParams()
  const now = useNow()
  const parameter = search.get('show') ?? 'all'
  const filter = (Object.hasOwn(USAGE_FILTERS, parameter) ? parameter : 'all') as UsageFilter
  return (
    <QueryResult of={result}>
      {({ identifier, identifierType, services }) => {
        // The document of the API does not say what is behind names that operators choose.
        const known = services as Services
        const lists = filterServices(known, filter)
        return (
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              <Text size="sm" data-testid="whose">
                <LimitScope type={identifierType} id={identifier} />
              </Text>
              <SegmentedControl
                size="xs"
                aria-label="Which limits"
                value={filter}
                onChange={(value) => setSearch(value === 'all' ? {} : { show: value }, { replace: true })}
                data={(Object.keys(USAGE_FILTERS) as UsageFilter[]).map((value) => ({
                  value,
                  label: filterLabel(known, value),
                }))}
              />
            </Group>
            {result.isRefetchError && (
              <Text size="sm" role="status">
                The platform does not respond. These figures are {formatDuration(now - result.dataUpdatedAt)} old.
              </Text>
            )}
            {lists.length === 0 && (
              <EmptyState title={filter === 'used' ? 'No limit is in use' : 'No limit is reached'}>
                {filter === 'used'
                  ? 'None of your requests counts towards a current window.'
                  : 'Your next requests are within your limits.'}
              </EmptyState>
            )}
            {lists.map(([service, features]) => (
              <UsageTable key={service} service={service} features={features} now={now} />
            ))}
          </Stack>
        )
      }}
    </QueryResult>
  )
}

function LimitScope({ type, id }: { type: 'customer' | 'user' | 'ip'; id: string }) {
  if (type === 'customer') return 'Shared by all members of your team.'
  if (type === 'user')
    return (
      <>
        Your own limits, from the public tier.{' '}
        <Anchor component={Link} href="/account/team" inherit underline="always">
          A team has higher limits.
        </Anchor>
      </>
    )
  return (
    <>
      You are not signed in. These limits apply to your address, <span className="value">{id}</span>.
    </>
  )
}
