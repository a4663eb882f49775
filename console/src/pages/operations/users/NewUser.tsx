import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Rights, type UserRights } from './Rights.tsx'

/** Creates an account. Its user signs in by mailed codes or with an issued key pair. */
export function NewUser({ made }: { made: (id: string) => void }) {
  const [email, setEmail] = useState('')
  const [fullName, setFullName] = useState('')
  const [alias, setAlias] = useState('')
  const [rights, setRights] = useState<UserRights>({ roles: ['user', 'reporter'], groups: ['public'] })
  const refresh = useRefresh()
  const make = api.useMutation('post', '/auth/v2/admin/user', {
    onSuccess: async ({ userID }) => {
      await refresh('/auth/v2/admin/users')
      made(userID)
    },
  })
  const fault = make.error ? asProblem(make.error) : null
  const at = (param: string) => (fault?.param?.startsWith(param) ? fault.message : undefined)
  return (
    <Paper withBorder p="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!make.isPending) make.mutate({ body: { email: email.trim(), fullName, alias, ...rights } })
        }}
      >
        <Stack gap="sm">
          <Title order={2} size="h4">
            New user
          </Title>
          <Group gap="sm" align="start">
            <TextInput
              label="Email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={at('email')}
              maxLength={254}
              autoComplete="off"
              required
            />
            <TextInput
              label="Full name"
              value={fullName}
              onChange={(event) => setFullName(event.currentTarget.value)}
              error={at('fullName')}
              maxLength={200}
              autoComplete="off"
            />
            <TextInput
              label="Alias"
              value={alias}
              onChange={(event) => setAlias(event.currentTarget.value)}
              error={at('alias')}
              maxLength={100}
              autoComplete="off"
            />
          </Group>
          <Rights value={rights} change={setRights} error={at('groups')} />
          {fault && <ErrorAlert error={fault} />}
          <Button type="submit" w="fit-content" disabled={email.trim() === ''} loading={make.isPending}>
            Create the user
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}
