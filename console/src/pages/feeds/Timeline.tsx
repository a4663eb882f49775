import { Badge, Stack, Table, Title } from '@mantine/core'
import { api } from '../../api/client.ts'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'

const REFRESH_MS = 5_000
const SHOWN = 100

const SIGNS = {
  add: ['+', 'added', 'teal'],
  update: ['~', 'changed', 'gray'],
  remove: ['−', 'removed', 'red'],
} as const

/** The last changes of a list, newest first. */
export function Timeline({ id }: { id: string }) {
  const params = { params: { path: { id }, query: { limit: SHOWN } } }
  const result = api.useQuery('get', '/api/feeds/v1/feeds/{id}/delta/latest', params, { refetchInterval: REFRESH_MS })
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Changes
      </Title>
      <QueryResult of={result}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No changes yet">What comes to the list, and what leaves it, is shown here.</EmptyState>
          ) : (
            <ScrollTable
              label="Changes of the list"
              minWidth={560}
              columns={[['', 110], 'Value', ['Type', 100], ['Reason', 110], ['When', 140]]}
            >
              {items.map(({ seq, op, id: entity, type, value, reason, at }) => {
                const [sign, word, color] = SIGNS[op]
                return (
                  <Table.Tr key={seq} data-testid="delta">
                    <Table.Td>
                      <Badge variant="outline" color={color} c="var(--mantine-color-text)" tt="none">
                        <span aria-hidden>{sign} </span>
                        {word}
                      </Badge>
                    </Table.Td>
                    <Table.Td>
                      <EntityLink id={entity} value={value} />
                    </Table.Td>
                    <Table.Td>{type}</Table.Td>
                    <Table.Td>{reason}</Table.Td>
                    <Table.Td>
                      <RelativeTime at={at} />
                    </Table.Td>
                  </Table.Tr>
                )
              })}
            </ScrollTable>
          )
        }
      </QueryResult>
    </Stack>
  )
}
