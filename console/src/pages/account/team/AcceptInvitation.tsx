import { Alert, Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'

/** Of the address that a mail named; it is not sent to the server by opening the page. */
export const invitationOf = (hash: string): string | null => /[#&]invitation=([\w-]{1,128})/.exec(hash)?.[1] ?? null

/** The form to accept an invitation or, without one, the membership of a team that added the caller. */
export function AcceptInvitation({ invitation }: { invitation: string | null }) {
  const refresh = useRefresh()
  const accept = api.useMutation('post', '/api/billing/v1/customer/accept', {
    onSuccess: async () => {
      if (invitation !== null) window.history.replaceState(null, '', window.location.pathname)
      notifications.show({ title: 'Accepted', message: 'Your reports now belong to the team.' })
      await refresh('/auth/v2/user', '/api/billing/v1/customer')
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Not accepted', message: asProblem(error).message }),
  })
  return (
    <Alert title={invitation === null ? 'You were added to this team' : 'You are invited to a team'}>
      <Stack gap="xs" align="start">
        <Text size="sm">Until you accept, your reports stay your own.</Text>
        <Button
          size="compact-sm"
          loading={accept.isPending}
          onClick={() => accept.mutate({ body: invitation === null ? {} : { invitation } })}
        >
          Accept
        </Button>
      </Stack>
    </Alert>
  )
}
