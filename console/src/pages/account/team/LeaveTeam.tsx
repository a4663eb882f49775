import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useId, useState } from 'react'
import { client } from '../../../api/client.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import type { Caller } from '../../../session/caller.ts'
import { whyNot } from './role-words.ts'
import { useTeamChange } from './useTeamChange.ts'

type Props = { customer: NonNullable<Caller['customer']>; soleOwner: boolean }

/** The forms to leave and to delete the team. */
export function LeaveTeam({ customer: { name, role }, soleOwner }: Props) {
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null)
  const changed = useTeamChange()
  const close = () => setAsking(null)
  const facts = { caller: role, target: role, own: true, owners: soleOwner ? 1 : 2 }
  const stays = whyNot({ kind: 'leave' }, facts)
  const reasonId = useId()

  async function run(ending: () => Promise<unknown>, title: string): Promise<void> {
    await ending()
    notifications.show({ title, message: 'You are in no team now.' })
    await changed()
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Leave or delete the team
      </Title>
      <Text size="sm" c="dimmed" id={reasonId}>
        {stays ?? 'Your reports stay visible to the team.'}
      </Text>
      <Group gap="sm">
        <Button
          variant="outline"
          color="red"
          size="sm"
          disabled={stays !== null}
          aria-describedby={reasonId}
          onClick={() => setAsking('leave')}
        >
          Leave the team …
        </Button>
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
          You lose access to the private data, the limits and the quotas of {name}. Your instances and casework in the
          team are deleted. An owner or admin can add you again.
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
          The subscription is cancelled, all instances and all casework of the team are deleted, and its members no
          longer have a team. Accounts and reports stay. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}
