import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { grantableRoles, newMember } from './members.ts'
import { RoleSentences } from './RoleSentences.tsx'
import { useTeamChange } from './useTeamChange.ts'

/** Invites somebody by mail, or adds a user by its id. */
export function AddMember({ role: held }: { role: MemberRole }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState<MemberRole>('user')
  const changed = useTeamChange()
  const add = api.useMutation('post', '/api/billing/v1/customer/member', {
    onSuccess: async (_, { body }) => {
      setText('')
      notifications.show(
        'email' in body
          ? { title: 'Invited', message: `${body.email} can accept with the link of the mail.` }
          : { title: 'Invited', message: 'The user can accept under Account, Team, and gets a mail.' },
      )
      await changed()
    },
  })
  const given = newMember(text)
  const fault =
    text.trim() !== '' && given === null
      ? 'Enter an address such as ada@example.com, or the user id of a profile'
      : null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Add a member
      </Title>
      <Text size="sm" c="dimmed">
        An email address gets a link. Only a user with this address can use it, once, for 7 days. The user of an id gets
        a mail. The invitation must be accepted first, and a member of another team must leave that team.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (given !== null && !add.isPending) add.mutate({ body: { ...given, role } })
        }}
      >
        <Group align="start" gap="sm">
          <TextInput
            label="Email address or user id"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={fault}
            autoComplete="off"
            spellCheck={false}
            maxLength={254}
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
          <Button type="submit" disabled={given === null} loading={add.isPending} mt={25}>
            {given !== null && 'userID' in given ? 'Add' : 'Invite'}
          </Button>
        </Group>
      </form>
      <RoleSentences of={role} />
      {add.error && <ErrorAlert error={add.error} />}
    </Stack>
  )
}
