import { Badge, Button, Group, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { NewUser } from './NewUser.tsx'
import { UserDetail } from './UserDetail.tsx'
import type { User } from './user.ts'

const LIMIT = 20
const TYPED_MS = 400

/** `/operations/users?query=&page=&id=`: accounts, found by mail address or alias. */
export default function Users() {
  const [query, setQuery] = useParameter('query')
  const [given, setPage] = useParameter('page')
  const [id, setId] = useParameter('id')
  const [making, setMaking] = useState(false)
  const [typed, setTyped] = useState(query ?? '')
  const [settled] = useDebouncedValue(typed.trim(), TYPED_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is the reason, not how it is kept
  useEffect(() => {
    if (settled === (query ?? '')) return
    setPage('')
    setQuery(settled)
  }, [settled])
  const page = Math.max(1, Math.trunc(Number(given)) || 1)
  const result = api.useQuery(
    'get',
    '/auth/v2/admin/users',
    { params: { query: { page, limit: LIMIT, ...(query ? { query } : {}) } } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="md">
      <Group gap="sm" align="end">
        <TextInput
          label="Email or alias contains"
          w={280}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={254}
          autoComplete="off"
        />
        <Button variant="default" aria-expanded={making} onClick={() => setMaking(!making)}>
          {making ? 'Cancel' : 'New user'}
        </Button>
      </Group>
      {making && (
        <NewUser
          made={(to) => {
            setMaking(false)
            setId(to)
          }}
        />
      )}
      {id !== null && <UserDetail key={id} id={id} close={() => setId('')} />}
      <QueryResult of={result}>
        {({ users, items, pages }) =>
          users.length === 0 ? (
            <EmptyState title={query ? 'No users found' : items > 0 ? 'No such page' : 'No user yet'}>
              {query
                ? 'No email address or alias contains this text.'
                : items > 0
                  ? 'The list ends before this page.'
                  : 'Create one with “New user”, or let people register.'}
            </EmptyState>
          ) : (
            <>
              <ScrollTable
                label="Users"
                minWidth={640}
                columns={['Email', 'Roles', 'Groups', ['Created', 140], ['State', 130]]}
              >
                {users.map((user) => (
                  <UserRow key={user.userID} user={user} open={setId} />
                ))}
              </ScrollTable>
              <Pager page={page} pages={pages} items={items} change={(to) => setPage(to === 1 ? '' : String(to))} />
            </>
          )
        }
      </QueryResult>
    </Stack>
  )
}

function UserRow({ user, open }: { user: User; open: (id: string) => void }) {
  return (
    <Table.Tr data-testid="user">
      <Table.Td>
        <UnstyledButton className="value" fz="sm" td="underline" onClick={() => open(user.userID)}>
          {user.email}
        </UnstyledButton>
        {user.alias !== '' && (
          <Text size="xs" c="dimmed">
            {user.alias}
          </Text>
        )}
      </Table.Td>
      <Table.Td fz="sm">{user.roles.join(', ') || 'none'}</Table.Td>
      <Table.Td fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {user.groups.join(', ') || 'none'}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={user.createdAt} />
      </Table.Td>
      <Table.Td>
        <Badge variant="outline" color={user.disabled ? 'red' : 'teal'} c="var(--mantine-color-text)" tt="none">
          {user.disabled ? '✗ disabled' : '● active'}
        </Badge>
      </Table.Td>
    </Table.Tr>
  )
}
