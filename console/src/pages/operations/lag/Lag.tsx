import { Table, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { addSample, type LagSample } from './history.ts'
import { LagChart } from './LagChart.tsx'

const EVERY_MS = 2_000

/** How far every consumer group is behind, and how that went while the page is open. */
export default function Lag() {
  const result = api.useQuery('get', '/api/admin/v1/lag', {}, { refetchInterval: EVERY_MS })
  const [looks, setLooks] = useState<LagSample[]>([])
  const { data, dataUpdatedAt } = result
  useEffect(() => {
    if (data) setLooks((before) => addSample(before, dataUpdatedAt, data.groups))
  }, [data, dataUpdatedAt])
  return (
    <QueryResult of={result}>
      {({ groups }) => {
        const total = groups.reduce((sum, { lag }) => sum + lag, 0)
        return (
          <>
            {result.error && <ErrorAlert error={result.error} />}
            <Text size="sm" data-testid="total">
              {total === 0
                ? 'All records are processed.'
                : `${formatCount(total)} ${total === 1 ? 'record is waiting' : 'records are waiting'}.`}
            </Text>
            <LagChart looks={looks} />
            <ScrollTable
              label="Lag by group and partition"
              minWidth={640}
              columns={[
                'Group',
                'Topic',
                ['Partition', 90],
                ['Next', 100],
                ['End', 100],
                ['Lag', 90],
                ['Oldest unread', 140],
              ]}
            >
              {groups.map(({ group, topic, partition, committed, end, lag, oldestUnread }) => (
                <Table.Tr key={`${group} ${topic} ${partition}`} data-testid="lag">
                  <Table.Th scope="row" fw={500}>
                    {group}
                  </Table.Th>
                  <Table.Td>{topic}</Table.Td>
                  <Table.Td>{partition}</Table.Td>
                  <Table.Td>{committed === null ? 'none' : formatCount(committed)}</Table.Td>
                  <Table.Td>{formatCount(end)}</Table.Td>
                  <Table.Td fw={lag > 0 ? 700 : 400}>{formatCount(lag)}</Table.Td>
                  <Table.Td>{oldestUnread === null ? '—' : <RelativeTime at={oldestUnread} />}</Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          </>
        )
      }}
    </QueryResult>
  )
}
