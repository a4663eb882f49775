import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../parts/entity/ScoreBadge.tsx'
import { type ChangeEvent, KIND_WORDS, REASON_WORDS } from '../../parts/live/events.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'

const PAGE = 100
const LONG = 200
const MAX_TAGS = 6

/** Changes, newest first, some at a time. */
export function ChangeTable({ changes }: { changes: readonly ChangeEvent[] }) {
  const [count, setCount] = useState(PAGE)
  const ordered = [...changes].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return (
    <Stack gap="xs">
      <ScrollTable
        label="Changes"
        minWidth={900}
        columns={[['When', 120], 'Entity', ['Before', 140], ['After', 140], ['Change', 150], ['Reason', 170]]}
      >
        {ordered.slice(0, count).map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </ScrollTable>
      {ordered.length > count && (
        <Button variant="default" size="sm" w="fit-content" onClick={() => setCount(count + PAGE)}>
          Show {Math.min(PAGE, ordered.length - count)} more
        </Button>
      )}
    </Stack>
  )
}

function ChangeRow({ change: { at, kinds, reason, entity, link } }: { change: ChangeEvent }) {
  const { id, type, value, reputation, accuracy, previousReputation, tags } = entity
  return (
    <Table.Tr data-testid="change">
      <Table.Td>
        <RelativeTime at={at} />
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Text span size="xs" c="dimmed">
            {type}
          </Text>
          <EntityLink id={id} value={value.length > LONG ? `${value.slice(0, LONG)}…` : value} />
        </Group>
        {tags.length > 0 && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {tags.slice(0, MAX_TAGS).join(' · ')}
            {tags.length > MAX_TAGS && ` and ${tags.length - MAX_TAGS} more`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {previousReputation === null ? (
          <Text size="sm" c="dimmed">
            {kinds.includes('created') ? 'not known' : '—'}
          </Text>
        ) : (
          <Reputation of={previousReputation} />
        )}
      </Table.Td>
      <Table.Td>
        <Reputation of={reputation} accuracy={accuracy} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{kinds.map((kind) => KIND_WORDS[kind]).join(', ')}</Text>
        {link !== undefined && <EntityLink id={link.relatedId} value="the other end" />}
      </Table.Td>
      <Table.Td>{REASON_WORDS[reason]}</Table.Td>
    </Table.Tr>
  )
}
