import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'

/** The message for callers without a team, with a link to create or join one. */
export function NoTeam({ children }: { children: ReactNode }) {
  return (
    <EmptyState title="You are in no team">
      {children}
      <Text size="sm" mt="xs">
        <Anchor component={Link} href="/account/team" inherit underline="always">
          Create or join a team
        </Anchor>
      </Text>
    </EmptyState>
  )
}
