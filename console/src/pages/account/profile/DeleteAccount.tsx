import { Button, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import { client } from '../../../api/client.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import type { Caller } from '../../../session/caller.ts'
import { signOut } from '../../../session/session.ts'

/** The end of the own account. */
export function DeleteAccount({ caller }: { caller: Caller }) {
  const [asking, { open, close }] = useDisclosure()
  const [, go] = useLocation()
  const { customer, email } = caller

  async function remove(): Promise<void> {
    await client.DELETE('/auth/v2/user')
    signOut()
    go('/')
    notifications.show({ title: 'Your account is deleted', message: 'You see what is public.' })
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Delete the account
      </Title>
      <Text size="sm" c="dimmed">
        Your sessions, key pairs and casework end. What you have reported stays.
      </Text>
      <Button variant="outline" color="red" size="sm" onClick={open}>
        Delete my account …
      </Button>
      {asking && (
        <Confirm
          title="Delete your account?"
          action="Delete my account"
          typed={email ?? caller.userID}
          run={remove}
          close={close}
        >
          Every session and key pair of it ends at once, and so does what you keep in cases, watchlists and searches.
          This cannot be undone.
          {customer?.role === 'owner' && (
            <Text size="sm" fw={600} mt="xs">
              You own {customer.name}. If nobody else does, the team ends with you, with its subscription and instances.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  )
}
