import { Anchor, Button, Group, Stack, Switch, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import { useFocusBack } from '../../../parts/page/useFocusBack.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useWatchlists } from '../../../parts/watch/useWatchlists.ts'
import type { Watchlist } from '../../../parts/watch/watchlists.ts'
import { WatchlistDetail } from './WatchlistDetail.tsx'
import { WatchlistForm } from './WatchlistForm.tsx'

/** `/alerts/watchlists?id=`: the caller's watchlists, and one of them with its items. */
export default function Watchlists() {
  const [id, setId] = useParameter('id')
  const [making, setMaking] = useState(false)
  const button = useFocusBack(making)
  const watchlists = useWatchlists(id === null)
  if (id !== null) return <WatchlistDetail key={id} id={id} close={() => setId('')} />
  return (
    <Stack gap="lg">
      <Group>
        <Button ref={button} disabled={making} onClick={() => setMaking(true)}>
          New watchlist
        </Button>
      </Group>
      {making && (
        <WatchlistForm
          done={(made) => {
            setMaking(false)
            if (made !== null) setId(made)
          }}
        />
      )}
      <QueryResult of={watchlists}>
        {(lists) =>
          lists.length === 0 ? (
            !making && (
              <EmptyState title="No watchlists yet">
                Create one and add what to watch, or use the button Watch on the page of an entity.
              </EmptyState>
            )
          ) : (
            <ScrollTable
              label="Watchlists"
              minWidth={480}
              columns={['Name', ['Items', 90], ['Changed', 140], ['Enabled', 100]]}
            >
              {lists.map((list) => (
                <WatchlistRow key={list.id} list={list} />
              ))}
            </ScrollTable>
          )
        }
      </QueryResult>
    </Stack>
  )
}

function WatchlistRow({ list }: { list: Watchlist }) {
  const refresh = useRefresh()
  const change = api.useMutation('patch', '/api/casework/v1/watchlists/{id}', {
    onSuccess: () => refresh('/api/casework/v1/watchlists'),
  })
  return (
    <Table.Tr data-testid="watchlist">
      <Table.Td>
        <Anchor
          component={Link}
          href={`/alerts/watchlists?id=${list.id}`}
          size="sm"
          className="value"
          ff="text"
          underline="always"
        >
          {list.name}
        </Anchor>
        {list.description !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {list.description}
          </Text>
        )}
        {change.error && <ErrorAlert error={change.error} />}
      </Table.Td>
      <Table.Td>{formatCount(list.item_count)}</Table.Td>
      <Table.Td>
        <RelativeTime at={list.updated_at} />
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={`${list.name} is enabled`}
          checked={list.enabled}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate({ params: { path: { id: list.id } }, body: { enabled: event.currentTarget.checked } })
          }
        />
      </Table.Td>
    </Table.Tr>
  )
}
