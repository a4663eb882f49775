import { Text } from '@mantine/core'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { ROLE_WORDS } from './role-words.ts'

/** What a role allows, and what it does not. */
export function RoleSentences({ of }: { of: MemberRole }) {
  const { allows, forbids } = ROLE_WORDS[of]
  return (
    <Text size="sm" c="dimmed" component="div" maw={720} data-testid={`role-${of}`}>
      {allows} {forbids}
    </Text>
  )
}
