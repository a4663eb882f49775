import { Button, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { api } from '../../../api/client.ts'
import type { paths } from '../../../api/schema.d.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { withName } from '../../../parts/format/ids.ts'
import { useNames } from '../../../parts/format/useNames.ts'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { detailText, type Field, OUTCOMES } from './filter.ts'

type Answer = paths['/api/admin/v1/audit']['get']['responses'][200]['content']['application/json']
type AuditRecord = Answer['items'][number]

type Props = {
  question: Partial<Record<Field | 'cursor', string>>
  /** Shows only the records with this value. */
  narrow: (field: Field, value: string) => void
  /** Goes to the records behind these; empty: to the newest. */
  older: (cursor: string) => void
}

const isNarrowed = (question: Props['question']): boolean => Object.keys(question).some((name) => name !== 'cursor')

/** A page of the audit log. */
export function AuditTable({ question, narrow, older }: Props) {
  const result = api.useQuery('get', '/api/admin/v1/audit', { params: { query: { ...question, limit: 50 } } })
  const ids =
    result.data?.items.flatMap(({ actor, subject, details = [] }) => [
      actor.userID,
      actor.keyID,
      subject,
      ...details.flatMap(({ first }) => first),
    ]) ?? []
  const names = useNames(ids)
  return (
    <QueryResult of={result}>
      {({ items, cursor }) => (
        <Stack gap="sm">
          {items.length === 0 ? (
            <EmptyState title={isNarrowed(question) ? 'No record fits' : 'No record yet'}>
              {question.cursor !== undefined
                ? 'There are no older records.'
                : isNarrowed(question)
                  ? 'Nothing that was recorded fits the filters. Take one away to see more.'
                  : 'Changes, sign-ins, exports and refusals are recorded. They are listed some seconds after they happened.'}
            </EmptyState>
          ) : (
            <ScrollTable
              label="Audit log"
              minWidth={860}
              columns={[['When', 130], 'Who', ['Action', 160], 'Subject', ['Outcome', 140], ['From', 150]]}
            >
              {items.map((record) => (
                <AuditRow key={record.id} record={record} names={names} narrow={narrow} />
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

type AuditRowProps = { record: AuditRecord; names: ReadonlyMap<string, string>; narrow: Props['narrow'] }

function AuditRow({ record, names, narrow }: AuditRowProps) {
  const { at, actor, action, subject, outcome, ip, count, details = [] } = record
  return (
    <Table.Tr data-testid="audit-record">
      <Table.Td>
        <RelativeTime at={at} />
      </Table.Td>
      <Table.Td>
        <Id of={actor.userID} names={names} none="unknown" choose={(id) => narrow('actor', id)} />
        {actor.keyID !== undefined && (
          <Text size="xs" className="value" title={actor.keyID}>
            key {withName(actor.keyID, names)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Id of={action} none="" choose={(name) => narrow('action', name)} />
        {details.map((one) => (
          <Text key={one.what} size="xs" className="value" style={{ overflowWrap: 'anywhere' }}>
            {detailText({ ...one, first: one.first.map((name) => withName(name, names)) })}
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <Id of={subject} names={names} none="—" choose={(id) => narrow('subject', id)} />
      </Table.Td>
      <Table.Td>
        {OUTCOMES[outcome] ?? outcome}
        {count > 1 && ` ${count} times`}
      </Table.Td>
      <Table.Td className="value">{ip === '' ? '—' : ip}</Table.Td>
    </Table.Tr>
  )
}

type IdProps = {
  of: string | null
  names?: ReadonlyMap<string, string>
  none: string
  choose: (value: string) => void
}

/** A value that narrows the list to itself; what has a name is shown by it. */
function Id({ of, names = new Map(), none, choose }: IdProps) {
  if (of === null) return <>{none}</>
  return (
    <UnstyledButton
      className="value"
      fz="sm"
      td="underline"
      style={{ overflowWrap: 'anywhere' }}
      title={of}
      onClick={() => choose(of)}
    >
      {withName(of, names)}
    </UnstyledButton>
  )
}
