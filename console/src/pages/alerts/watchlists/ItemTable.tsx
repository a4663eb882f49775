import { Button, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { mostText } from '../../../parts/watch/reputations.ts'
import { ITEM_KINDS, type WatchItem, watchedText } from '../../../parts/watch/watchlists.ts'

const PATH = '/api/casework/v1/watchlists/{id}/items'
const PAGE = 50
const LONG = 400

/** The items of a watchlist, oldest first. */
export function ItemTable({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const items = useQuery({
    queryKey: ['get', PATH, { id, page }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { page, limit: PAGE } }
      const { data = [], response } = await client.GET(PATH, { params, signal })
      return { results: data, all: Number(response.headers.get('x-total-count')) }
    },
  })
  const refresh = useRefresh()
  const remove = api.useMutation('delete', `${PATH}/{itemId}`, {
    onSuccess: () => refresh(PATH, '/api/casework/v1/watchlists', '/api/casework/v1/watchlists/{id}'),
  })
  return (
    <QueryResult of={items}>
      {({ results, all }) => {
        const pages = Math.ceil(all / PAGE)
        // What was removed may have been the last of its page.
        if (results.length === 0 && all > 0 && page > pages) setPage(pages)
        if (all === 0)
          return (
            <Text size="sm" c="dimmed" data-testid="no-items">
              Nothing is on this watchlist yet.
            </Text>
          )
        return (
          <Stack gap="xs">
            {remove.error && <ErrorAlert error={remove.error} />}
            <WideTable label="Items" minWidth={520} columns={['Kind', 'What', 'Type', 'Reputation', 'Actions']}>
              {results.map((item) => (
                <ItemRow
                  key={item.id}
                  item={item}
                  removing={remove.isPending && remove.variables.params.path.itemId === item.id}
                  remove={() => remove.mutate({ params: { path: { id, itemId: item.id } } })}
                />
              ))}
            </WideTable>
            <Pager page={page} pages={pages} items={all} change={setPage} />
          </Stack>
        )
      }}
    </QueryResult>
  )
}

type RowProps = { item: WatchItem; removing: boolean; remove: () => void }

function ItemRow({ item, removing, remove }: RowProps) {
  const text = watchedText(item)
  const shown = text.length > LONG ? `${text.slice(0, LONG)}…` : text
  return (
    <Table.Tr data-testid="item">
      <Table.Td>{ITEM_KINDS[item.kind].label}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {item.kind === 'entity' ? (
          <EntityLink id={text} value={shown} />
        ) : (
          <Text size="sm" className="value">
            {shown}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{item.type ?? 'any'}</Table.Td>
      <Table.Td>{item.max_reputation === undefined ? 'any' : mostText(item.max_reputation)}</Table.Td>
      <Table.Td>
        <Button
          size="compact-xs"
          variant="outline"
          color="red"
          loading={removing}
          onClick={remove}
          aria-label={`Remove ${text.slice(0, 200)}`}
        >
          Remove
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
