import { Text } from '@mantine/core'
import { ROLE_WORDS } from '../../../../../schemas/accounts/member-roles.ts'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'

/** What a role allows, and what it does not. */
export function RoleSentences({ role }: { role: MemberRole }) {
  const { allows, forbids } = ROLE_WORDS[role]
  return (
    <Text size="sm" c="dimmed" component="div" maw={720} data-testid={`role-${role}`}>
      {allows} {forbids}
    </Text>
  )
}
