import { Badge, Group, Stack, Text } from '@mantine/core'
import { memberName, type NamedMember } from './members.ts'

/** A member by its name, its address below; by its id alone until it has accepted. */
export function MemberName({ member, own }: { member: NamedMember; own: boolean }) {
  const name = memberName(member)
  return (
    <Stack gap={0}>
      <Group gap="xs">
        <Text
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          {...(name === member.userID ? { className: 'value' } : { title: member.userID })}
        >
          {name}
        </Text>
        {own && (
          <Badge variant="default" size="sm" tt="none">
            you
          </Badge>
        )}
        {member.joinedAt === null && (
          <Badge variant="light" color="orange" autoContrast size="sm" tt="none">
            not accepted
          </Badge>
        )}
      </Group>
      {member.email !== null && member.email !== name && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {member.email}
        </Text>
      )}
    </Stack>
  )
}
