import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { EntityLink } from '../entity/EntityLink.tsx'
import { Reputation } from '../entity/ScoreBadge.tsx'
import { formatCount } from '../format/numbers.ts'
import { ScrollTable } from '../tables/ScrollTable.tsx'
import { RelativeTime } from '../time/RelativeTime.tsx'
import { DIRECTION_WORDS, eventsOf, fieldOf, hostOf, isSummary, type Match, withdrawnWords } from './match.ts'

const LONG = 200

/** `open`: shows all of a match. */
type Props = { matches: readonly Match[]; open: (match: Match) => void }

/** Matches, one row each. What was withdrawn is struck through, with its reason. */
export function MatchTable({ matches, open }: Props) {
  return (
    <ScrollTable
      label="Matches"
      minWidth={860}
      columns={[['Matched', 120], 'Indicator', 'Seen in telemetry', ['Host', 150], ['Events', 70], ['', 90]]}
    >
      {matches.map((match) => (
        <MatchRow key={match.id} match={match} open={() => open(match)} />
      ))}
    </ScrollTable>
  )
}

function MatchRow({ match, open }: { match: Match; open: () => void }) {
  const { direction, matchedAt, entity, withdrawnAt, withdrawnReason } = match
  const { label, sign, about } = DIRECTION_WORDS[direction]
  const value = clip(entity.value)
  return (
    <Table.Tr data-testid="match" data-withdrawn={withdrawnAt !== undefined}>
      <Table.Td>
        <RelativeTime at={matchedAt} />
        <Text size="xs" c="dimmed" title={about}>
          <span aria-hidden>{sign} </span>
          {label}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Text span size="xs" c="dimmed">
            {entity.type}
          </Text>
          {withdrawnAt === undefined ? (
            <EntityLink id={entity.id} value={value} />
          ) : (
            <s>
              <EntityLink id={entity.id} value={value} />
            </s>
          )}
        </Group>
        <Group gap={6} mt={2}>
          <Reputation of={entity.reputation} />
          {withdrawnAt !== undefined && (
            <Badge size="sm" variant="outline" color="gray" c="var(--mantine-color-text)" tt="none" h="auto">
              <span style={{ whiteSpace: 'normal' }}>withdrawn: {withdrawnWords(withdrawnReason)}</span>
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <SeenValue match={match} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{hostOf(match) ?? '—'}</Table.Td>
      <Table.Td>{formatCount(eventsOf(match))}</Table.Td>
      <Table.Td>
        <Button size="compact-xs" variant="default" onClick={open} aria-label={`Details of the match of ${value}`}>
          Details
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

/** The field and the value; of a summary how many matches it stands for. */
function SeenValue({ match }: { match: Match }) {
  if (isSummary(match))
    return (
      <Text size="sm">
        {formatCount(match.count)} matches of {fieldOf(match)}
      </Text>
    )
  return (
    <>
      <Text size="xs" c="dimmed">
        {match.event.field}
      </Text>
      <Text size="sm" className="value">
        {clip(match.event.value)}
      </Text>
    </>
  )
}

const clip = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)
