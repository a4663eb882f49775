import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { acceptFault } from './members.ts'
import { useTeamChange } from './useTeamChange.ts'

type Props = {
  /** What is accepted: the invitation of a link, or of a team that named the caller. */
  accepts: { invitation: string } | { customerID: string; team: string }
  /** The link is of no use any more, or not wanted. */
  forget?: () => void
}

/** The form to accept or decline an invitation. Nothing is accepted by opening the page. */
export function AcceptInvitation({ accepts, forget }: Props) {
  const changed = useTeamChange()
  const accept = api.useMutation('post', '/api/billing/v1/customer/accept', {
    onSuccess: async () => {
      forget?.()
      notifications.show({ title: 'Accepted', message: 'Your reports now belong to the team.' })
      await changed()
    },
  })
  const decline = api.useMutation('delete', '/api/billing/v1/customer/leave', {
    onSuccess: async () => {
      notifications.show({ title: 'Declined', message: 'You are not a member of that team.' })
      await changed()
    },
  })
  const invited = 'invitation' in accepts
  const body = invited ? { invitation: accepts.invitation } : { customerID: accepts.customerID }
  return (
    <Alert
      title={invited ? 'You are invited to a team' : `You are invited to the team ${accepts.team}`}
      data-testid={invited ? 'invitation' : 'membership'}
    >
      <Stack gap="xs" align="start">
        <Text size="sm">
          If you accept, the team sees your name and your email address, and your reports belong to it. Nothing changes
          until then.
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" loading={accept.isPending} onClick={() => accept.mutate({ body })}>
            Accept
          </Button>
          {!invited && (
            <Button
              size="compact-sm"
              variant="default"
              loading={decline.isPending}
              onClick={() => decline.mutate({ body: { customerID: accepts.customerID } })}
            >
              Decline
            </Button>
          )}
          {forget && (
            <Button size="compact-sm" variant="default" onClick={forget}>
              Not now
            </Button>
          )}
        </Group>
        {accept.error && <ErrorAlert error={accept.error} explanation={acceptFault(asProblem(accept.error))} />}
        {decline.error && <ErrorAlert error={decline.error} />}
      </Stack>
    </Alert>
  )
}
