import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import type { Caller } from '../../../session/caller.ts'
import { useTeamChange } from './useTeamChange.ts'

type Props = { customer: NonNullable<Caller['customer']>; soleOwner: boolean }

/** Leaving the team, and its end. */
export function LeaveTeam({ customer: { name, role }, soleOwner }: Props) {
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null)
  const changed = useTeamChange()
  const close = () => setAsking(null)

  async function run(ending: () => Promise<unknown>, title: string): Promise<void> {
    await ending()
    notifications.show({ title, message: 'You are in no team now.' })
    await changed()
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Leave or end the team
      </Title>
      <Text size="sm" c="dimmed">
        {soleOwner
          ? 'You are its only owner: hand the team over before you leave it, or delete it.'
          : 'What you reported stays, also for the team.'}
      </Text>
      <Group gap="sm">
        {!soleOwner && (
          <Button variant="outline" color="red" size="sm" onClick={() => setAsking('leave')}>
            Leave the team …
          </Button>
        )}
        {role === 'owner' && (
          <Button variant="outline" color="red" size="sm" onClick={() => setAsking('delete')}>
            Delete the team …
          </Button>
        )}
      </Group>
      {asking === 'leave' && (
        <Confirm
          title={`Leave ${name}?`}
          action="Leave"
          close={close}
          run={() => run(() => client.DELETE('/api/billing/v1/customer/leave'), `You have left ${name}`)}
        >
          You no longer read what {name} keeps to itself, nor use its limits and quotas. Your instances and casework in
          it end. An owner or admin can add you again.
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the team"
          typed={name}
          close={close}
          run={() => run(() => client.DELETE('/api/billing/v1/customer'), `${name} is deleted`)}
        >
          Its subscription is cancelled, its instances and all casework in it are deleted, and every member is without a
          team. Accounts and reports stay. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}
