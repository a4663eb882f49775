import { Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import type { Watchlist } from '../../../parts/watch/watchlists.ts'
import { ItemForm } from './ItemForm.tsx'
import { ItemTable } from './ItemTable.tsx'
import { WatchlistForm } from './WatchlistForm.tsx'

/** One watchlist with its items. */
export function WatchlistDetail({ id, close }: { id: string; close: () => void }) {
  const answer = api.useQuery('get', '/api/casework/v1/watchlists/{id}', { params: { path: { id } } })
  const status = answer.error === null ? null : asProblem(answer.error).status
  if (answer.data === undefined && (status === 404 || status === 400))
    return (
      <EmptyState title="You have no watchlist with this id">
        <Button size="compact-sm" variant="default" onClick={close}>
          See all watchlists
        </Button>
      </EmptyState>
    )
  return <QueryResult of={answer}>{(list) => <Content list={list} close={close} />}</QueryResult>
}

function Content({ list, close }: { list: Omit<Watchlist, 'items'>; close: () => void }) {
  const [changing, setChanging] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const refresh = useRefresh()
  const path = { id: list.id }
  const renew = () => refresh('/api/casework/v1/watchlists', '/api/casework/v1/watchlists/{id}')
  const change = api.useMutation('patch', '/api/casework/v1/watchlists/{id}', { onSuccess: renew })

  async function remove(): Promise<void> {
    await client.DELETE('/api/casework/v1/watchlists/{id}', { params: { path } })
    close()
    await refresh('/api/casework/v1/watchlists')
  }

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {list.name}
        </Title>
        <Button size="compact-sm" variant="default" onClick={close}>
          All watchlists
        </Button>
      </Group>
      {list.description !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {list.description}
        </Text>
      )}
      {changing ? (
        <WatchlistForm list={list} done={() => setChanging(false)} />
      ) : (
        <Group gap="sm">
          <Switch
            label="Enabled"
            checked={list.enabled}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ params: { path }, body: { enabled: event.currentTarget.checked } })}
          />
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            Change the name
          </Button>
          <Button size="xs" variant="outline" color="red" onClick={() => setDeleting(true)}>
            Delete …
          </Button>
        </Group>
      )}
      {change.error && <ErrorAlert error={change.error} />}
      {!list.enabled && (
        <Text size="sm" role="status">
          The watchlist is disabled and creates no alerts, also not later for entities that enter now.
        </Text>
      )}
      <Paper withBorder p="md">
        <ItemForm id={list.id} />
      </Paper>
      <ItemTable id={list.id} />
      {deleting && (
        <Confirm
          title={`Delete the watchlist ${list.name}?`}
          action="Delete"
          run={remove}
          close={() => setDeleting(false)}
        >
          Its items and its alerts are deleted with it. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}
