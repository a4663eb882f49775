import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'

const ROLES = ['owner', 'admin', 'user'] as const
type Role = (typeof ROLES)[number]

/** Adds a member with any role, owner too. */
export function AddCustomerMember({ id }: { id: string }) {
  const [userID, setUserID] = useState('')
  const [role, setRole] = useState<Role>('user')
  const add = api.useMutation('post', '/api/billing/v1/admin/customer/{id}/member', { onSuccess: () => setUserID('') })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate({ params: { path: { id } }, body: { userID: userID.trim(), role } })
      }}
    >
      <Stack gap="xs">
        <Title order={3} size="h5">
          Add a member
        </Title>
        <Group gap="sm" align="end">
          <TextInput
            label="User id"
            value={userID}
            onChange={(event) => setUserID(event.currentTarget.value)}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            w={{ base: '100%', sm: 340 }}
          />
          <Select
            label="Role in the team"
            w={130}
            data={[...ROLES]}
            value={role}
            onChange={(to) => to && setRole(to as Role)}
            allowDeselect={false}
          />
          <Button type="submit" variant="default" disabled={userID.trim() === ''} loading={add.isPending}>
            Add
          </Button>
          <Text size="sm" role="status">
            {add.isSuccess && 'Added.'}
          </Text>
        </Group>
        {add.error && <ErrorAlert error={add.error} />}
      </Stack>
    </form>
  )
}
