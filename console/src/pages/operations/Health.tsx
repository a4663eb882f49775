import { Alert, Badge, Table, Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { formatInstant } from '../../parts/time/RelativeTime.tsx'

const EVERY_MS = 5_000
/** A check that takes as long as this is close to the bound of 1.7 s, after which the part counts as away. */
const SLOW_MS = 500

/** The health of every part: its state, response time and message. */
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
            title={ready ? 'All required services are available' : 'Requests fail: a required service is unavailable'}
          >
            <Text size="sm">
              {parts.filter(({ ok }) => ok).length} of {parts.length} services are healthy, as of{' '}
              {formatInstant(result.dataUpdatedAt)}.
            </Text>
          </Alert>
          <ScrollTable
            label="Services"
            minWidth={520}
            columns={['Service', ['State', 130], ['Response time', 160], 'Details']}
          >
            {parts.map(({ name, ok, ms, detail }) => (
              <Table.Tr key={name} data-testid="part">
                <Table.Th scope="row" fw={500}>
                  {name}
                </Table.Th>
                <Table.Td>
                  <Badge variant="outline" color={ok ? 'teal' : 'red'} c="var(--mantine-color-text)" tt="none">
                    {ok ? '● healthy' : '✗ unavailable'}
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
