import { Group, MultiSelect, NativeSelect, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { api } from '../../../api/client.ts'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../session/caller.ts'
import { groupNames } from '../../../session/group-name.ts'
import { pageOf, useAddress } from '../address.ts'
import type { Relation } from '../answers.ts'
import { EntityTable } from '../EntityTable.tsx'
import { filterAnswer, filterOf, LOOKED_AT, relationQuery } from './relation-filter.ts'

const TYPES = definitions().map(({ type, label }) => ({ value: type, label: `${label} (${type})` }))
const MODES = [
  { value: '', label: 'Any relation' },
  { value: 'aggregation', label: 'Parts' },
  { value: 'association', label: 'Other relations' },
]

/** Relations of the entity in both directions, newest first. */
export function RelationList({ id }: { id: string }) {
  const [params, say] = useAddress()
  const filter = filterOf(params, pageOf(params))
  const result = api.useQuery(
    'get',
    '/api/search/v1/entity/{id}/relations',
    { params: { path: { id }, query: relationQuery(filter) } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="sm" component="section" aria-labelledby="relations">
      <Title order={2} size="h4" id="relations">
        Relations
      </Title>
      <Group gap="sm" align="end">
        <MultiSelect
          size="xs"
          label="Types of the related entity"
          data={TYPES}
          value={filter.types}
          onChange={(types) => say({ types: types.length === 0 ? null : types.join(','), page: null })}
          searchable
          clearable
          maxValues={20}
          placeholder={filter.types.length === 0 ? 'Any type' : undefined}
          clearButtonProps={{ 'aria-label': 'Clear the types' }}
          w={280}
          maw="100%"
        />
        <NativeSelect
          size="xs"
          label="Kind of relation"
          data={MODES}
          value={filter.mode ?? ''}
          onChange={(event) => say({ mode: event.currentTarget.value || null, page: null })}
        />
      </Group>
      <QueryResult of={result}>
        {(answer) => {
          const { results, items, pages, cut } = filterAnswer(filter, answer)
          if (items === 0)
            return (
              <EmptyState title="No such relations">
                {filter.types.length > 0 || filter.mode !== null
                  ? 'Remove a filter to see other relations.'
                  : 'There are no relations that you may read.'}
              </EmptyState>
            )
          return (
            <>
              <RelationTable id={id} relations={results} />
              {cut && (
                <Text size="sm">
                  This filter covers the newest {LOOKED_AT.toLocaleString('en')} relations only. Choose types to see
                  older ones.
                </Text>
              )}
              <Pager
                page={filter.page}
                pages={pages}
                items={items}
                change={(page) => say({ page: page === 1 ? null : page })}
              />
            </>
          )
        }}
      </QueryResult>
    </Stack>
  )
}

/** How a relation reads from the entity's side. */
const words = ({ mode, direction }: Relation): string => {
  if (mode === 'aggregation') return direction === 'outgoing' ? 'consists of' : 'is part of'
  return direction === 'outgoing' ? 'is related to' : 'is referenced by'
}

function RelationTable({ id, relations }: { id: string; relations: readonly Relation[] }) {
  const caller = useCaller()
  return (
    <EntityTable label="Relations" minWidth={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>This entity</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th>Entity</Table.Th>
          <Table.Th>Reputation</Table.Th>
          <Table.Th>Last reported</Table.Th>
          <Table.Th>Visible to</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {relations.map((relation) => (
          <Table.Tr key={relation.id} data-testid="relation">
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{words(relation)}</Table.Td>
            <Table.Td>{relation.type}</Table.Td>
            <Table.Td>
              {relation.value === null ? (
                <Text size="sm" c="dimmed">
                  not visible to you
                </Text>
              ) : (
                <EntityLink
                  id={relation.entityID === id ? relation.relatedEntityID : relation.entityID}
                  value={relation.value}
                />
              )}
            </Table.Td>
            <Table.Td>{relation.reputation !== null && <Reputation of={relation.reputation} />}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <RelativeTime at={relation.lastSeen} />
            </Table.Td>
            <Table.Td>{groupNames(relation.visibleBy, caller)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </EntityTable>
  )
}
