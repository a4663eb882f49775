import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'

/** Why a caller without a team has no saved searches, and what it can do. */
export function NeedsTeam({ administrator }: { administrator: boolean }) {
  return (
    <Stack gap="sm" data-testid="needs-team">
      <Text size="sm" fw={600}>
        Saved searches need a team
      </Text>
      <Text size="sm">
        Only you see your saved searches, but they belong to your team: its tier limits their number, and they end with
        the membership. You are in no team, so there is nothing to save to.
      </Text>
      <Text size="sm">
        {administrator ? (
          'The configured administrator has no account and cannot be in a team. Sign in with a personal account of a team to save searches.'
        ) : (
          <>
            <Anchor component={Link} href="/account/team" inherit underline="always">
              Create a team or accept an invitation
            </Anchor>
            ; a team of one person is enough.
          </>
        )}
      </Text>
      <Text size="sm">
        Until then, bookmark this page or send its address: the address contains the whole search, and each reader runs
        it with their own rights.
      </Text>
    </Stack>
  )
}
