import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import { IssueKey } from './IssueKey.tsx'
import { Rights, type UserRights } from './Rights.tsx'
import type { User } from './user.ts'

/** One user: rights, a key pair, disabling and deleting. */
export function UserDetail({ id, close }: { id: string; close: () => void }) {
  const result = api.useQuery('get', '/auth/v2/admin/user/{id}', { params: { path: { id } } }, { staleTime: 0 })
  return (
    <Paper withBorder p="md" data-testid="user-detail">
      <QueryResult of={result}>{(user) => <UserContent user={user} close={close} />}</QueryResult>
    </Paper>
  )
}

function UserContent({ user, close }: { user: User; close: () => void }) {
  const [rights, setRights] = useState<UserRights>({ roles: [...user.roles], groups: [...user.groups] })
  const [asks, setAsks] = useState<'disable' | 'delete' | null>(null)
  const refresh = useRefresh()
  const changed = () => refresh('/auth/v2/admin/users', '/auth/v2/admin/user/{id}')
  const save = api.useMutation('put', '/auth/v2/admin/user/{id}', { onSuccess: changed })
  const params = { path: { id: user.userID } }
  const fault = save.error ? asProblem(save.error) : null
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" className="value">
          {user.email}
        </Title>
        <Button size="compact-sm" variant="default" onClick={close}>
          Close
        </Button>
      </Group>
      <Facts
        label="The user"
        rows={[
          ['Name', user.fullName || '—'],
          ['Alias', user.alias || '—'],
          [
            'User id',
            <span key="id" className="value">
              {user.userID}
            </span>,
          ],
          ['Created', formatInstant(user.createdAt)],
          [
            'State',
            <span key="state" data-testid="user-state">
              {user.disabled ? '✗ disabled' : '● active'}
            </span>,
          ],
        ]}
      />
      <Rights
        value={rights}
        mapped={user.mapped}
        change={setRights}
        error={fault?.param?.startsWith('groups') ? fault.message : undefined}
      />
      {fault && <ErrorAlert error={fault} />}
      <Group gap="sm">
        <Button loading={save.isPending} onClick={() => save.mutate({ params, body: rights })}>
          Save roles and groups
        </Button>
        <Button
          variant="default"
          onClick={() => (user.disabled ? save.mutate({ params, body: { disabled: false } }) : setAsks('disable'))}
        >
          {user.disabled ? 'Enable' : 'Disable'}
        </Button>
        <Button variant="outline" color="red" onClick={() => setAsks('delete')}>
          Delete
        </Button>
        <Text size="sm" role="status">
          {save.isSuccess && 'Saved.'}
        </Text>
      </Group>
      <IssueKey userId={user.userID} />
      {asks === 'disable' && (
        <Confirm
          title={`Disable ${user.email}?`}
          action="Disable"
          close={() => setAsks(null)}
          run={async () => {
            await client.PUT('/auth/v2/admin/user/{id}', { params, body: { disabled: true } })
            await changed()
          }}
        >
          Key pairs and sessions are refused from now on, and running instances are stopped. You can enable the user
          again.
        </Confirm>
      )}
      {asks === 'delete' && (
        <Confirm
          title="Delete this user?"
          action="Delete"
          typed={user.email}
          close={() => setAsks(null)}
          run={async () => {
            await client.DELETE('/auth/v2/admin/user/{id}', { params })
            close()
            await refresh('/auth/v2/admin/users')
          }}
        >
          Key pairs and sessions end immediately. Instances, cases, watchlists and all other data of the user are
          deleted shortly afterwards. A customer without another owner is deleted too. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}
