import { Anchor, Badge, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../api/client.ts'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { useCaller } from '../../session/caller.ts'
import { groupNames } from '../../session/group-name.ts'
import type { Feed } from './feed.ts'

const REFRESH_MS = 5_000

/** Feeds that the caller may read and change, newest first. `defining`: a form stands above. */
export function FeedList({ defining }: { defining: boolean }) {
  const caller = useCaller()
  const result = api.useQuery('get', '/api/feeds/v1/feeds', {}, { refetchInterval: REFRESH_MS })
  return (
    <QueryResult of={result}>
      {({ items }) =>
        items.length === 0 ? (
          !defining && (
            <EmptyState title="No feeds yet">Create one. A selector defines which entities it lists.</EmptyState>
          )
        ) : (
          <ScrollTable
            label="Feeds"
            minWidth={560}
            columns={['Name', ['State', 110], ['Items', 110], ['Changes', 110], 'Readers']}
          >
            {items.map((feed) => (
              <Table.Tr key={feed.id} data-testid="feed">
                <Table.Td>
                  <Anchor component={Link} href={`/feeds?id=${feed.id}`} className="value" ff="text" size="sm">
                    {feed.name}
                  </Anchor>
                  {feed.description !== '' && (
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {feed.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <FeedState of={feed.state} />
                </Table.Td>
                <Table.Td>{formatCount(feed.items)}</Table.Td>
                <Table.Td>{formatCount(feed.sequence)}</Table.Td>
                <Table.Td>{feed.open ? 'everybody' : groupNames(feed.groups, caller)}</Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
        )
      }
    </QueryResult>
  )
}

const STATES: Record<Feed['state'], { label: string; sign: string; color: string }> = {
  building: { label: 'building', sign: '…', color: 'gray' },
  live: { label: 'live', sign: '●', color: 'teal' },
  held: { label: 'held', sign: '⏸', color: 'red' },
}

/** A state by its sign and word. */
export function FeedState({ of }: { of: Feed['state'] }) {
  const { label, sign, color } = STATES[of]
  return (
    <Badge variant="outline" color={color} c="var(--mantine-color-text)" tt="none" miw="max-content">
      <span aria-hidden>{sign} </span>
      {label}
    </Badge>
  )
}
