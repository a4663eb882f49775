import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { type Delivery, mayRetry, STATES } from './destination-form.ts'

const PATH = '/api/alerts/v1/destinations/{id}/deliveries'
const RETRY = '/api/alerts/v1/deliveries/{id}/retry'
const PAGE = 50
const EVERY_MS = 10_000

/** What was sent to a destination and what is on its way, newest first. */
export function Deliveries({ id }: { id: string }) {
  const deliveries = useInfiniteQuery({
    queryKey: ['get', PATH, { id }],
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await client.GET(PATH, { params: { path: { id }, query }, signal })).data!
    },
    getNextPageParam: ({ next }) => next ?? null,
    refetchInterval: EVERY_MS,
  })
  const refresh = useRefresh()
  const retry = api.useMutation('post', RETRY, { onSuccess: () => refresh(PATH) })
  const rows = deliveries.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Deliveries
      </Title>
      {retry.error && <ErrorAlert error={retry.error} />}
      <QueryResult of={deliveries}>
        {() =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing was sent yet.
            </Text>
          ) : (
            <>
              <ScrollTable
                label="Deliveries"
                minWidth={640}
                columns={[['Made', 130], ['State', 140], ['Tries', 60], ['Next try', 130], 'Last error', ['', 90]]}
              >
                {rows.map((one) => (
                  <DeliveryRow
                    key={one.id}
                    delivery={one}
                    pending={retry.isPending && retry.variables.params.path.id === one.id}
                    retry={() => retry.mutate({ params: { path: { id: one.id } }, body: {} })}
                  />
                ))}
              </ScrollTable>
              {deliveries.hasNextPage && (
                <Button
                  variant="default"
                  size="xs"
                  w="fit-content"
                  loading={deliveries.isFetchingNextPage}
                  onClick={() => void deliveries.fetchNextPage()}
                >
                  Show older deliveries
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
    </Stack>
  )
}

type RowProps = { delivery: Delivery; pending: boolean; retry: () => void }

function DeliveryRow({ delivery, pending, retry }: RowProps) {
  const { createdAt, state, attempts, nextAt, lastError, note, digestID } = delivery
  return (
    <Table.Tr data-testid="delivery">
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <span aria-hidden>{STATES[state].sign}</span>
          <span>{STATES[state].label}</span>
        </Group>
        {digestID !== undefined && (
          <Text size="xs" c="dimmed">
            in a digest
          </Text>
        )}
      </Table.Td>
      <Table.Td>{attempts}</Table.Td>
      <Table.Td>{nextAt === null ? '—' : <RelativeTime at={nextAt} />}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{lastError ?? '—'}</Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {mayRetry(delivery) && (
          <Button size="compact-xs" variant="default" loading={pending} onClick={retry}>
            Try again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
