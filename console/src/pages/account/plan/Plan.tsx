import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { useCaller } from '../../../session/caller.ts'
import { NoTeam } from '../NoTeam.tsx'
import { Payment } from './Payment.tsx'
import { Upgrade } from './Upgrade.tsx'

const STATUS: Record<string, string> = {
  none: 'None, and none is needed',
  active: 'Active',
  cancelled: 'Cancelled: compute quotas are zero until a plan is ordered',
}

/** The tier of the caller's team, and the forms for its owner to change it. */
export default function Plan() {
  const caller = useCaller()
  const member = Boolean(caller?.customer)
  // The provider confirms a payment, which may take a moment after its page closes.
  const result = api.useQuery('get', '/api/billing/v1/customer/tier', {}, { enabled: member, refetchInterval: 15_000 })
  if (caller === undefined) return <Loading />
  if (!caller?.customer) return <NoTeam>A plan belongs to a team and applies to all of its members.</NoTeam>
  return (
    <QueryResult of={result}>
      {(tier) => (
        <Stack gap="lg">
          <Facts
            label="Plan"
            rows={[
              [
                'Tier',
                <Group gap="xs" key="tier">
                  <Text size="sm" fw={600} data-testid="tier">
                    {tier.tierName}
                  </Text>
                  {tier.subscriptionStatus === 'cancelled' && (
                    <Badge color="orange" variant="light" autoContrast tt="none">
                      cancelled
                    </Badge>
                  )}
                </Group>,
              ],
              ['Quantity', `${tier.stacks}: multiplies the compute quotas of the tier`],
              ['Subscription', STATUS[tier.subscriptionStatus] ?? tier.subscriptionStatus],
              [
                'Includes',
                <Group gap="md" key="allows">
                  <Anchor component={Link} href="/account/limits" size="sm" underline="always">
                    Limits
                  </Anchor>
                  <Anchor component={Link} href="/account/quotas" size="sm" underline="always">
                    Quotas
                  </Anchor>
                </Group>,
              ],
            ]}
          />
          {caller.customer?.role === 'owner' ? (
            <>
              <Upgrade tier={tier.tierName} stacks={tier.stacks} />
              <Payment />
            </>
          ) : (
            <Text size="sm" c="dimmed">
              Only the owner of the team can change the plan. Your role is {caller.customer?.role}.
            </Text>
          )}
        </Stack>
      )}
    </QueryResult>
  )
}
