import { Button, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import { client } from '../../../api/client.ts'
import { signOut } from '../../../api/session.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import type { Caller } from '../../../session/caller.ts'

/** The form to delete the caller's account. */
export function DeleteAccount({ caller }: { caller: Caller }) {
  const [asking, { open, close }] = useDisclosure()
  const [, go] = useLocation()
  const { customer, email } = caller

  async function remove(): Promise<void> {
    await client.DELETE('/auth/v2/user')
    signOut()
    go('/')
    notifications.show({ title: 'Your account is deleted', message: 'You now see public data only.' })
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Delete the account
      </Title>
      <Text size="sm" c="dimmed">
        This ends your sessions and deletes your key pairs and casework. Your reports stay.
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
          All sessions end, and all key pairs, cases, watchlists and saved searches are deleted. This cannot be undone.
          {customer?.role === 'owner' && (
            <Text size="sm" fw={600} mt="xs">
              You own {customer.name}. If the team has no other owner, it is deleted too, with its subscription and
              instances.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  )
}
