import { Anchor, Badge } from '@mantine/core'
import { Link } from 'wouter'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { api } from '../../../api/client.ts'
import { Answered } from '../../../parts/Answered.tsx'
import { Copyable } from '../../../parts/Copyable.tsx'
import { Facts } from '../../../parts/Facts.tsx'
import { When } from '../../../parts/When.tsx'

/** What the team is called, where its bills go and what it pays for. */
export function TeamFacts({ role }: { role: MemberRole }) {
  const asked = api.useQuery('get', '/api/billing/v1/customer')
  return (
    <Answered of={asked}>
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
            ['Your role', <RoleBadge key="role" role={role} />],
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
            ['Since', <When key="since" at={createdAt} />],
          ]}
        />
      )}
    </Answered>
  )
}

const COLOURS: Record<MemberRole, string> = { owner: 'violet', admin: 'blue', user: 'gray' }

/** What a member may do, in a word. */
export function RoleBadge({ role }: { role: MemberRole }) {
  return (
    <Badge variant="light" autoContrast color={COLOURS[role]} tt="none">
      {role}
    </Badge>
  )
}
