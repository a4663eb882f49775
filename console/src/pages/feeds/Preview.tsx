import { Paper, Stack, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import type { Selector } from './selector-form.ts'

const TYPING_MS = 400

/** How many entities a selector chooses now, and the ones that were seen last. */
export function Preview({ selector }: { selector: Selector }) {
  const [settled] = useDebouncedValue(selector, TYPING_MS)
  const body = { selector: settled, limit: 10 }
  const result = api.useQuery(
    'post',
    '/api/search/v1/entities/selector',
    { body },
    { placeholderData: keepPreviousData, retry: false },
  )
  return (
    <Paper withBorder p="md" data-testid="preview">
      <QueryResult of={result}>
        {({ items, results }) => (
          <Stack gap="xs">
            <Text role="status" fw={600}>
              {items === 1 ? '1 entity now' : `${formatCount(items)} entities now`}
            </Text>
            {results.length > 0 && (
              <ScrollTable
                label="Entities that it chooses"
                minWidth={420}
                columns={['Value', ['Type', 110], ['Reputation', 100], 'Tags']}
              >
                {results.map(({ id, type, attributes, reputation, tags }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <EntityLink id={id!} value={attributes?.[type!] ?? id!} />
                    </Table.Td>
                    <Table.Td>{type}</Table.Td>
                    <Table.Td>{reputation}</Table.Td>
                    <Table.Td>{tags?.join(', ')}</Table.Td>
                  </Table.Tr>
                ))}
              </ScrollTable>
            )}
          </Stack>
        )}
      </QueryResult>
    </Paper>
  )
}
