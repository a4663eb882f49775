import { Group, Table, Text } from '@mantine/core'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { LOOKUP_STATES, type LookupOutcome } from './outcomes.ts'

/** The outcome of each value, and its line in a text. */
export function BulkTable({ rows }: { rows: LookupOutcome[] }) {
  const isText = rows.some(({ place }) => place !== null)
  return (
    <Table.ScrollContainer minWidth={820} type="native" tabIndex={0} role="region" aria-label="Values">
      <Table striped highlightOnHover verticalSpacing={5} data-testid="bulk">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Score</Table.Th>
            <Table.Th>Tags</Table.Th>
            <Table.Th>Last seen</Table.Th>
            {isText && <Table.Th>Line</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <OutcomeRow key={`${row.type} ${row.value}`} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function OutcomeRow({ row }: { row: LookupOutcome }) {
  const text = row.value.length > 200 ? `${row.value.slice(0, 200)}…` : row.value
  return (
    <Table.Tr>
      <Table.Td maw={380}>
        {row.id ? <EntityLink id={row.id} value={text} /> : <span className="value">{text}</span>}
        {row.networks
          .filter(({ id }) => id !== row.by?.id)
          .map(({ id, value }) => (
            <Text key={id} size="xs">
              in <EntityLink id={id} value={value} />
            </Text>
          ))}
        {row.by && (
          <Text size="xs">
            score from <EntityLink id={row.by.id} value={row.by.value} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={row.state === 'found' ? 600 : 400}>
          {LOOKUP_STATES[row.state]}
        </Text>
      </Table.Td>
      <Table.Td>{row.type}</Table.Td>
      <Table.Td>
        {row.reputation !== null && (
          <Group gap="xs" wrap="nowrap">
            <Reputation of={row.reputation} accuracy={row.accuracy ?? undefined} />
            <Accuracy of={row.accuracy ?? 0} />
          </Group>
        )}
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="xs">{row.tags.slice(0, 6).join(' · ')}</Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.last && <RelativeTime at={row.last} />}</Table.Td>
      {row.place && <LineCell place={row.place} />}
    </Table.Tr>
  )
}

/** Of a line that is shown. */
const MAX_SHOWN = 120

/** The first line, and how many others there are. */
function LineCell({ place: { lines, count, text } }: { place: NonNullable<LookupOutcome['place']> }) {
  const [first = 1] = lines
  return (
    <Table.Td miw={240} maw={420}>
      <Text size="xs" fw={600}>
        Line {first.toLocaleString('en')}
        {count > 1 && `, ${count.toLocaleString('en')} times`}
      </Text>
      <Text size="xs" className="value">
        {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}
      </Text>
    </Table.Td>
  )
}
