import { Button, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { api } from '../../../api/client.ts'
import type { paths } from '../../../api/schema.d.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { type Field, OUTCOMES } from './filter.ts'

type Answer = paths['/api/admin/v1/audit']['get']['responses'][200]['content']['application/json']
type AuditRecord = Answer['items'][number]

type Props = {
  question: Partial<Record<Field | 'cursor', string>>
  /** Shows only the records with this value. */
  narrow: (field: Field, value: string) => void
  /** Goes to the records behind these; empty: to the newest. */
  older: (cursor: string) => void
}

/** A page of the audit log. */
export function AuditTable({ question, narrow, older }: Props) {
  const result = api.useQuery('get', '/api/admin/v1/audit', { params: { query: { ...question, limit: 50 } } })
  return (
    <QueryResult of={result}>
      {({ items, cursor }) => (
        <Stack gap="sm">
          {items.length === 0 ? (
            <EmptyState title="No records">Nothing that was recorded fits the filters.</EmptyState>
          ) : (
            <ScrollTable
              label="Audit log"
              minWidth={860}
              columns={[['When', 130], 'Who', ['Action', 160], 'Subject', ['Outcome', 140], ['From', 150]]}
            >
              {items.map((record) => (
                <AuditRow key={record.id} record={record} narrow={narrow} />
              ))}
            </ScrollTable>
          )}
          <Group gap="sm">
            {question.cursor !== undefined && (
              <Button size="xs" variant="default" onClick={() => older('')}>
                Newest
              </Button>
            )}
            {cursor !== null && (
              <Button size="xs" variant="default" onClick={() => older(cursor)}>
                Older
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </QueryResult>
  )
}

function AuditRow({ record, narrow }: { record: AuditRecord; narrow: Props['narrow'] }) {
  const { at, actor, action, subject, outcome, ip, count } = record
  return (
    <Table.Tr data-testid="audit-record">
      <Table.Td>
        <RelativeTime at={at} />
      </Table.Td>
      <Table.Td>
        <Id of={actor.userID} none="nobody known" choose={(id) => narrow('actor', id)} />
        {actor.keyID !== undefined && (
          <Text size="xs" className="value">
            key {actor.keyID}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Id of={action} none="" choose={(name) => narrow('action', name)} />
      </Table.Td>
      <Table.Td>
        <Id of={subject} none="—" choose={(id) => narrow('subject', id)} />
      </Table.Td>
      <Table.Td>
        {OUTCOMES[outcome] ?? outcome}
        {count > 1 && ` ${count} times`}
      </Table.Td>
      <Table.Td className="value">{ip === '' ? '—' : ip}</Table.Td>
    </Table.Tr>
  )
}

/** A value that narrows the list to itself. */
function Id({ of, none, choose }: { of: string | null; none: string; choose: (value: string) => void }) {
  if (of === null) return <>{none}</>
  return (
    <UnstyledButton
      className="value"
      fz="sm"
      td="underline"
      style={{ overflowWrap: 'anywhere' }}
      onClick={() => choose(of)}
    >
      {of}
    </UnstyledButton>
  )
}
