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
        A saved search is yours alone, but it belongs to your team: the tier of the team says how many there may be, and
        they end with the membership. You are in no team, so there is nothing to save to.
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
        Until then, bookmark this page or send its address: the address holds the whole search, and whoever opens it
        runs it with the own rights.
      </Text>
    </Stack>
  )
}
