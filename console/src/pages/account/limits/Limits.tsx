import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { api } from '../../../api/client.ts'
import { Nothing } from '../../../parts/feedback/EmptyState.tsx'
import { Answered } from '../../../parts/feedback/QueryResult.tsx'
import { duration } from '../../../parts/time/duration.ts'
import { useNow } from '../../../parts/time/useNow.ts'
import { useSignedIn } from '../../../session/caller.ts'
import { UsageTable } from '../UsageTable.tsx'
import { chosen, type Services, SHOWN, type Shown, shownLabel } from '../usage.ts'

const EVERY = { refetchInterval: 5_000, staleTime: 0, placeholderData: keepPreviousData }

/** What the caller has taken of its limits: of its team, its own without one, of its address for anonymous callers. */
export default function Limits() {
  const signedIn = useSignedIn()
  const own = api.useQuery('get', '/api/billing/v1/limits/usage', {}, { ...EVERY, enabled: signedIn })
  const ofAddress = api.useQuery('get', '/api/billing/v1/limits/usage/ip', {}, { ...EVERY, enabled: !signedIn })
  const asked = signedIn ? own : ofAddress
  const [search, setSearch] = useSearchParams()
  const now = useNow()
  const named = search.get('show') ?? 'all'
  const shown = (Object.hasOwn(SHOWN, named) ? named : 'all') as Shown
  return (
    <Answered of={asked}>
      {({ identifier, identifierType, services }) => {
        // The document of the API does not say what is behind names that operators choose.
        const known = services as Services
        const lists = chosen(known, shown)
        return (
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              <Text size="sm" data-testid="whose">
                <Whose type={identifierType} id={identifier} />
              </Text>
              <SegmentedControl
                size="xs"
                aria-label="Which limits"
                value={shown}
                onChange={(value) => setSearch(value === 'all' ? {} : { show: value }, { replace: true })}
                data={(Object.keys(SHOWN) as Shown[]).map((value) => ({ value, label: shownLabel(known, value) }))}
              />
            </Group>
            {asked.isRefetchError && (
              <Text size="sm" role="status">
                The platform does not answer; this is what it said {duration(now - asked.dataUpdatedAt)} ago.
              </Text>
            )}
            {lists.length === 0 && (
              <Nothing title={shown === 'used' ? 'Nothing is used' : 'Nothing is locked'}>
                {shown === 'used'
                  ? 'No window that runs now has counted anything of yours. Ask something, and it shows here.'
                  : 'Whatever you ask next is within your limits.'}
              </Nothing>
            )}
            {lists.map(([service, features]) => (
              <UsageTable key={service} service={service} features={features} now={now} />
            ))}
          </Stack>
        )
      }}
    </Answered>
  )
}

function Whose({ type, id }: { type: 'customer' | 'user' | 'ip'; id: string }) {
  if (type === 'customer') return 'Shared by all members of your team.'
  if (type === 'user')
    return (
      <>
        Your own, at the values of the public tier.{' '}
        <Anchor component={Link} href="/account/team" inherit underline="always">
          A team has higher ones.
        </Anchor>
      </>
    )
  return (
    <>
      You are not signed in: these are counted for your address, <span className="value">{id}</span>.
    </>
  )
}
