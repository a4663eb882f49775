import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { type Caller, nameOf } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'
import { DeleteAccount } from './DeleteAccount.tsx'
import { groupText, ROLE_TEXT } from './rights.ts'
import { SignOnLink } from './SignOnLink.tsx'

export default function Profile() {
  const result = api.useQuery('get', '/auth/v2/user', {}, { staleTime: 60_000 })
  return <QueryResult of={result}>{(caller) => <ProfileContent caller={caller} />}</QueryResult>
}

function ProfileContent({ caller }: { caller: Caller }) {
  const { customer, roles, groups, administrator } = caller
  return (
    <Stack gap="lg">
      <Facts
        label="Your account"
        rows={[
          [
            'Name',
            <span key="name" data-testid="name">
              {nameOf(caller)}
            </span>,
          ],
          ...(caller.fullName ? [['Full name', caller.fullName] as [string, string]] : []),
          ['Email', administrator ? 'None: the configured administrator has no account' : caller.email],
          ['User id', <Copyable key="id" value={caller.userID} what="your user id" />],
          [
            'Team',
            customer ? (
              <>
                {customer.name}, as {customer.role}
              </>
            ) : administrator ? (
              'None'
            ) : (
              <>
                None yet:{' '}
                <Anchor component={Link} href="/account/team" inherit underline="always">
                  create or join one
                </Anchor>
              </>
            ),
          ],
          ['Signed in', caller.session ? 'with a session' : 'with a key pair'],
        ]}
      />
      <Stack gap="xs">
        <Title order={2} size="h4">
          Roles
        </Title>
        {roles.length === 0 ? (
          <Text size="sm" c="dimmed">
            None. You can read and search. To get a role, give your user id to an administrator of the platform.
          </Text>
        ) : (
          <Facts label="Roles" rows={roles.map((role) => [role, ROLE_TEXT[role]])} />
        )}
      </Stack>
      <Stack gap="xs">
        <Title order={2} size="h4">
          Groups
        </Title>
        <Text size="sm" c="dimmed">
          You can read what is visible to these groups. Your reports are visible to them too, unless you choose other
          groups.
        </Text>
        <Facts label="Groups" rows={groups.map((group) => [groupName(group, caller), groupText(group, customer)])} />
      </Stack>
      {!administrator && <SignOnLink isSession={caller.session} />}
      {!administrator && <DeleteAccount caller={caller} />}
    </Stack>
  )
}
