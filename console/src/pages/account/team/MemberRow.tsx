import { Button, Group, Select, Table, Text } from '@mantine/core'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { MemberName } from './MemberName.tsx'
import { type Member, memberActions, memberName, type NamedMember } from './members.ts'
import { RoleBadge } from './TeamFacts.tsx'

/** What is asked about before it happens. */
export type MemberAsk = { kind: 'remove' } | { kind: 'transfer' } | { kind: 'role'; to: MemberRole }

type Props = { member: NamedMember; caller: Member; owners: number; ask: (about: MemberAsk) => void }

/** One member with what the caller may change of it. */
export function MemberRow({ member, caller, owners, ask }: Props) {
  const { userID, role } = member
  const own = userID === caller.userID
  const may = memberActions(caller.role, member, own, owners)
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
            allowDeselect={false}
            onChange={(to) => {
              if (to !== null && to !== role) ask({ kind: 'role', to: to as MemberRole })
            }}
          />
        ) : (
          <>
            <RoleBadge role={role} />
            {may.fixed !== null && (
              <Text size="xs" c="dimmed" maw={260} data-testid="fixed">
                {may.fixed}
              </Text>
            )}
          </>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          {may.transfer && (
            <Button size="compact-sm" variant="default" onClick={() => ask({ kind: 'transfer' })}>
              Make owner …
            </Button>
          )}
          {may.remove && (
            <Button size="compact-sm" variant="outline" color="red" onClick={() => ask({ kind: 'remove' })}>
              Remove …
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
