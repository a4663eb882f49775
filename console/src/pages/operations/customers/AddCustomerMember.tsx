import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { addMember, ROLES, type Role } from './add-member.ts'

/** Adds a member with any role, owner too. */
export function AddCustomerMember({ id }: { id: string }) {
  const [named, setNamed] = useState('')
  const [role, setRole] = useState<Role>('user')
  const add = useMutation({ mutationFn: () => addMember(id, named.trim(), role), onSuccess: () => setNamed('') })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate()
      }}
    >
      <Stack gap="xs">
        <Title order={3} size="h5">
          Add a member
        </Title>
        <Group gap="sm" align="end">
          <TextInput
            label="Email address or user id"
            value={named}
            onChange={(event) => setNamed(event.currentTarget.value)}
            maxLength={254}
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
          <Button type="submit" variant="default" disabled={named.trim() === ''} loading={add.isPending}>
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
