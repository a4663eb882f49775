import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { grantableRoles, isUserId } from './members.ts'
import { useTeamChange } from './useTeamChange.ts'

/** Adds a user who has an account and no team yet. */
export function AddMember({ role: held }: { role: MemberRole }) {
  const [userID, setUserID] = useState('')
  const [role, setRole] = useState<MemberRole>('user')
  const changed = useTeamChange()
  const add = api.useMutation('post', '/api/billing/v1/customer/member', {
    onSuccess: async () => {
      setUserID('')
      notifications.show({ title: 'Added to the team', message: `The new member has the role ${role}.` })
      await changed()
    },
  })
  const given = userID.trim()
  const fault = given !== '' && !isUserId(given) ? 'A user id has the form 01234567-89ab-cdef-0123-456789abcdef' : null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Add a member
      </Title>
      <Text size="sm" c="dimmed">
        The new member needs an account; its profile shows the user id. A member of another team must leave that team
        first.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isUserId(given) && !add.isPending) add.mutate({ body: { userID: given, role } })
        }}
      >
        <Group align="start" gap="sm">
          <TextInput
            label="User id of the new member"
            value={userID}
            onChange={(event) => setUserID(event.currentTarget.value)}
            error={fault}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            w={{ base: '100%', sm: 380 }}
          />
          <Select
            label="Role"
            data={grantableRoles(held)}
            value={role}
            onChange={(value) => value && setRole(value as MemberRole)}
            allowDeselect={false}
            w={120}
          />
          <Button type="submit" disabled={!isUserId(given)} loading={add.isPending} mt={25}>
            Add
          </Button>
        </Group>
      </form>
      {add.error && <ErrorAlert error={add.error} />}
    </Stack>
  )
}
