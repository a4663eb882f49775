import { Anchor, Badge, Stack } from '@mantine/core'
import { Link } from 'wouter'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { api } from '../../../api/client.ts'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { RoleSentences } from './RoleSentences.tsx'

/** The name, billing address and tier of the team. */
export function TeamFacts({ role }: { role: MemberRole }) {
  const result = api.useQuery('get', '/api/billing/v1/customer')
  return (
    <QueryResult of={result}>
      {({ customerID, name, email, billingAddress: at, tierName, stacks, createdAt }) => (
        <Facts
          label="Team"
          rows={[
            [
              'Name',
              <b key="name" data-testid="team">
                {name}
              </b>,
            ],
            [
              'Your role',
              <Stack key="role" gap={2} align="start">
                <RoleBadge role={role} />
                <RoleSentences of={role} />
              </Stack>,
            ],
            [
              'Plan',
              <Anchor key="plan" component={Link} href="/account/plan" size="sm" underline="always">
                {tierName} × {stacks}
              </Anchor>,
            ],
            ['Billing email', email],
            [
              'Address',
              [at.street, `${at.postalCode} ${at.city}`, at.state, at.country].filter((part) => part.trim()).join(', '),
            ],
            ['Team id', <Copyable key="id" value={customerID} what="the team id" />],
            ['Since', <RelativeTime key="since" at={createdAt} />],
          ]}
        />
      )}
    </QueryResult>
  )
}

const COLOURS: Record<MemberRole, string> = { owner: 'violet', admin: 'blue', user: 'gray' }

/** The label of a member's role. */
export function RoleBadge({ role }: { role: MemberRole }) {
  return (
    <Badge variant="light" autoContrast color={COLOURS[role]} tt="none">
      {role}
    </Badge>
  )
}
