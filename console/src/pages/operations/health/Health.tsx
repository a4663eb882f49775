import { Alert, Badge, Table, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'

const EVERY_MS = 5_000
/** A check that takes as long as this is close to the bound of 1.7 s, after which the part counts as away. */
const SLOW_MS = 500

/** Every part: whether it answers, in which time, and what it says. */
export default function Health() {
  const result = api.useQuery('get', '/api/admin/v1/health', {}, { refetchInterval: EVERY_MS })
  return (
    <QueryResult of={result}>
      {({ ready, parts }) => (
        <>
          {result.error && <ErrorAlert error={result.error} />}
          <Alert
            color={ready ? 'teal' : 'red'}
            variant="outline"
            role="status"
            title={ready ? 'Everything that requests need is there' : 'Requests fail: a part is not there'}
          >
            <Text size="sm">
              {parts.filter(({ ok }) => ok).length} of {parts.length} parts are well, as of{' '}
              {formatInstant(result.dataUpdatedAt)}.
            </Text>
          </Alert>
          <ScrollTable label="Parts" minWidth={520} columns={['Part', ['State', 110], ['Answered in', 160], 'Says']}>
            {parts.map(({ name, ok, ms, detail }) => (
              <Table.Tr key={name} data-testid="part">
                <Table.Th scope="row" fw={500}>
                  {name}
                </Table.Th>
                <Table.Td>
                  <Badge variant="outline" color={ok ? 'teal' : 'red'} c="var(--mantine-color-text)" tt="none">
                    {ok ? '● well' : '✗ away'}
                  </Badge>
                </Table.Td>
                <Table.Td>{`${ms} ms${ms >= SLOW_MS ? ', slow' : ''}`}</Table.Td>
                <Table.Td className="value" fz="sm">
                  {detail}
                </Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
        </>
      )}
    </QueryResult>
  )
}
