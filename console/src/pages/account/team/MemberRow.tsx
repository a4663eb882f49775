import { Button, Group, Select, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { MemberName } from './MemberName.tsx'
import { type Member, memberActions, memberName, type NamedMember } from './members.ts'
import { RoleBadge } from './TeamFacts.tsx'
import { useTeamChange } from './useTeamChange.ts'

type Props = { member: NamedMember; caller: Member; owners: number; ask: (kind: 'remove' | 'transfer') => void }

/** One member with what the caller may change of it. */
export function MemberRow({ member, caller, owners, ask }: Props) {
  const { userID, role } = member
  const own = userID === caller.userID
  const may = memberActions(caller.role, member, own, owners)
  const changed = useTeamChange()
  const change = api.useMutation('put', '/api/billing/v1/customer/member', {
    onSuccess: changed,
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The role was not changed', message: asProblem(error).message }),
  })
  return (
    <Table.Tr data-testid={`member-${userID}`}>
      <Table.Td>
        <MemberName member={member} own={own} />
      </Table.Td>
      <Table.Td>
        {may.roles.length > 0 ? (
          <Select
            size="xs"
            w={120}
            aria-label={`Role of ${memberName(member)}`}
            data={[...new Set([role, ...may.roles])]}
            value={role}
            disabled={change.isPending}
            allowDeselect={false}
            onChange={(to) => {
              if (to !== null && to !== role) change.mutate({ body: { userID, role: to as Member['role'] } })
            }}
          />
        ) : (
          <RoleBadge role={role} />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          {may.transfer && (
            <Button size="compact-sm" variant="default" onClick={() => ask('transfer')}>
              Make owner …
            </Button>
          )}
          {may.remove && (
            <Button size="compact-sm" variant="outline" color="red" onClick={() => ask('remove')}>
              Remove …
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
