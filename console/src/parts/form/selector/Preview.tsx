import { Paper, Stack, Table, Text } from '@mantine/core'
import { EntityLink } from '../../entity/EntityLink.tsx'
import { QueryResult } from '../../feedback/QueryResult.tsx'
import { formatCount } from '../../format/numbers.ts'
import { ScrollTable } from '../../tables/ScrollTable.tsx'
import type { usePreview } from './usePreview.ts'

type Props = {
  of: ReturnType<typeof usePreview>['query']
  /** For whom it is asked, in words. */
  reader: string
  /** A field is wrong, and says so itself. */
  faulty: boolean
}

/** How many entities a selector chooses now, and the ones that were seen last. */
export function Preview({ of, reader, faulty }: Props) {
  if (faulty)
    return (
      <Paper withBorder p="md" data-testid="preview">
        <Text size="sm" role="status">
          Correct the marked field to see which entities the selector chooses.
        </Text>
      </Paper>
    )
  return (
    <Paper withBorder p="md" data-testid="preview">
      <QueryResult of={of}>
        {({ items, results }) => (
          <Stack gap="xs">
            <Text role="status" fw={600}>
              {items === 1 ? '1 entity now' : `${formatCount(items)} entities now`}
            </Text>
            <Text size="xs" c="dimmed">
              As {reader} sees it.
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
