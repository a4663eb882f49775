import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import { MOST, SHOWN, useLatest } from './useLatest.ts'

const SIGNS = {
  add: ['+', 'added', 'teal'],
  update: ['~', 'changed', 'gray'],
  remove: ['−', 'removed', 'red'],
} as const

/** The last changes of a list, newest first. */
export function Timeline({ id }: { id: string }) {
  const [limit, setLimit] = useState(SHOWN)
  const result = useLatest(id, limit)
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Changes
      </Title>
      <QueryResult of={result}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No changes yet">Entities that enter or leave the list are shown here.</EmptyState>
          ) : (
            <>
              <ScrollTable
                label="Changes of the list"
                minWidth={560}
                columns={[['', 124], 'Value', ['Type', 100], ['Reason', 110], ['When', 140]]}
              >
                {items.map(({ seq, op, id: entity, type, value, reason, at }) => {
                  const [sign, word, color] = SIGNS[op]
                  return (
                    <Table.Tr key={seq} data-testid="delta">
                      <Table.Td>
                        <Badge
                          variant="outline"
                          color={color}
                          c="var(--mantine-color-text)"
                          tt="none"
                          miw="max-content"
                        >
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
              <More shown={items.length} limit={limit} more={() => setLimit(MOST)} />
            </>
          )
        }
      </QueryResult>
    </Stack>
  )
}

/** Whether there may be more changes than are shown, and a way to them. */
function More({ shown, limit, more }: { shown: number; limit: number; more: () => void }) {
  if (shown < limit) return null
  if (limit === MOST)
    return (
      <Text size="sm" c="dimmed">
        The last {formatCount(MOST)} changes are shown. All of the last 30 days: harrier feed diff.
      </Text>
    )
  return (
    <Group>
      <Button size="compact-sm" variant="default" onClick={more}>
        More changes
      </Button>
    </Group>
  )
}
