import { Table, Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { formatDuration } from '../../parts/time/duration.ts'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'

const EVERY_MS = 10_000

/** Every topic of the log: how much is in it, how long it is kept, where its partitions begin and end. */
export default function Topics() {
  const result = api.useQuery('get', '/api/admin/v1/topics', {}, { refetchInterval: EVERY_MS })
  return (
    <QueryResult of={result}>
      {({ topics }) => (
        <ScrollTable
          label="Topics"
          minWidth={700}
          columns={['Topic', ['Records', 100], ['Newest', 150], ['Retention', 150], 'Partitions']}
        >
          {topics.map(({ topic, records, newest, retentionMs, cleanup, partitions }) => (
            <Table.Tr key={topic} data-testid="topic">
              <Table.Th scope="row" fw={500}>
                {topic}
              </Table.Th>
              <Table.Td>{formatCount(records)}</Table.Td>
              <Table.Td>{newest === null ? '—' : <RelativeTime at={newest} />}</Table.Td>
              <Table.Td>
                {cleanup === 'compact'
                  ? 'latest record per key'
                  : retentionMs === null
                    ? 'forever'
                    : formatDuration(retentionMs)}
              </Table.Td>
              <Table.Td>
                <Text size="xs" className="value">
                  {partitions.map(({ partition, low, high }) => `${partition}: ${low}–${high}`).join(' · ')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </QueryResult>
  )
}
