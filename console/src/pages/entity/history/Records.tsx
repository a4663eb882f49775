import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { ReporterName } from '../../../parts/entity/ReporterName.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../session/caller.ts'
import { groupNames } from '../../../session/group-name.ts'
import { pageOf, useAddress } from '../address.ts'
import type { Details, Record } from '../answers.ts'
import { EntityTable } from '../EntityTable.tsx'
import { recordVerdict } from '../head/verdict-text.ts'
import { recordsQuery } from './records.ts'

const ROWS = 25

/** The kept reports of the entity, newest first. */
export function Records({ entity }: { entity: Details }) {
  const [params, say] = useAddress()
  const page = pageOf(params)
  const result = api.useQuery(
    'post',
    '/api/search/v1/entities/history/advanced',
    recordsQuery(entity.id, { page, limit: ROWS }),
    { placeholderData: keepPreviousData },
  )
  const none = result.error !== null && asProblem(result.error).status === 404
  return (
    <Stack gap="sm" component="section" aria-labelledby="records">
      <Title order={2} size="h4" id="records">
        Records
      </Title>
      {none ? (
        <EmptyState title="No records">The reports have expired or were retracted.</EmptyState>
      ) : (
        <QueryResult of={result}>
          {({ results, items, pages }) => (
            <>
              <RecordTable type={entity.type} records={results} />
              <Pager page={page} pages={pages} items={items} change={(to) => say({ page: to === 1 ? null : to })} />
            </>
          )}
        </QueryResult>
      )}
    </Stack>
  )
}

function RecordTable({ type, records }: { type: string; records: readonly Record[] }) {
  const caller = useCaller()
  return (
    <EntityTable label="Records" minWidth={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Reputation</Table.Th>
          <Table.Th>Accuracy</Table.Th>
          <Table.Th>Reported by</Table.Th>
          <Table.Th>Details</Table.Th>
          <Table.Th>Visible to</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <Table.Tr key={record.id} data-testid="record">
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {record['@timestamp'] && <RelativeTime at={record['@timestamp']} />}
            </Table.Td>
            <Table.Td>
              {isScored(record) ? <Reputation of={record.reputation ?? 0} accuracy={record.accuracy ?? 0} /> : '—'}
            </Table.Td>
            <Table.Td>{isScored(record) ? <Accuracy of={record.accuracy ?? 0} /> : '—'}</Table.Td>
            <Table.Td maw={200} style={{ overflowWrap: 'anywhere' }}>
              <ReporterName of={record.reporter} />
            </Table.Td>
            <Table.Td maw={360}>
              <RecordContent type={type} record={record} />
            </Table.Td>
            <Table.Td>{groupNames(record.visibleBy ?? [], caller)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </EntityTable>
  )
}

/** Whether the record gives a score: to take a verdict back gives none, nor does a match. */
const isScored = ({ verdict, match, reputation = 0 }: Record): boolean =>
  match !== true && (verdict === undefined || reputation !== 0)

/** The claims of a record other than its value and score. */
function RecordContent({ type, record }: { type: string; record: Record }) {
  const others = Object.entries(record.attributes ?? {}).filter(([name]) => name !== type)
  const verdict = recordVerdict(record)
  return (
    <Stack gap={4}>
      {record.retracted && (
        <Badge size="sm" variant="outline" color="red" c="var(--mantine-color-text)" tt="none">
          retracted: does not count
        </Badge>
      )}
      {record.match && <Text size="sm">Telemetry matched it on this day</Text>}
      {verdict !== null && (
        <Text size="sm" data-testid="record-verdict" style={{ overflowWrap: 'anywhere' }}>
          <b>{verdict.title}</b>
          {verdict.reason !== '' && ` – ${verdict.reason}`}
        </Text>
      )}
      {others.map(([name, value]) => (
        <Text key={name} size="sm" lineClamp={3} className="value" ff="text">
          <Text span size="xs" c="dimmed">
            {name}{' '}
          </Text>
          {value}
        </Text>
      ))}
      <Group gap={4}>
        {record.wellKnown && (
          <Badge size="sm" variant="outline" color="teal" tt="none">
            well known
          </Badge>
        )}
        {record.tags?.map((tag) => (
          <Badge key={tag} size="sm" variant="default" tt="none" fw={500}>
            {tag}
          </Badge>
        ))}
      </Group>
    </Stack>
  )
}
