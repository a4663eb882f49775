import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { type Alert, matchText, STATE_WORDS, stateOf } from './alerts.ts'

const LONG = 200

type Props = {
  alerts: readonly Alert[]
  nameOf: (watchlistID: string) => string
  open: (alert: Alert) => void
}

/** Alerts, one row each. What is unread is marked by a word, and is bold. */
export function AlertTable({ alerts, nameOf, open }: Props) {
  return (
    <ScrollTable
      label="Alerts"
      minWidth={780}
      columns={['Entity', 'Matched', 'Watchlist', ['Times', 64], ['Last time', 120], ['State', 190]]}
    >
      {alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} watchlist={nameOf(alert.watchlistID)} open={() => open(alert)} />
      ))}
    </ScrollTable>
  )
}

type RowProps = { alert: Alert; watchlist: string; open: () => void }

function AlertRow({ alert, watchlist, open }: RowProps) {
  const { entityID, entityType, entityValue, reputation, count, lastAt, withdrawnAt, assignee, note, unread } = alert
  const { label, sign } = STATE_WORDS[stateOf(alert)]
  return (
    <Table.Tr data-testid="alert" data-unread={unread}>
      <Table.Td>
        <Group gap={6}>
          {unread && (
            <Badge size="xs" variant="filled" color="blue.8" tt="none">
              unread
            </Badge>
          )}
          <Text span size="xs" c="dimmed">
            {entityType}
          </Text>
          <Text span fw={unread ? 700 : 400} className="value">
            <EntityLink id={entityID} value={clip(entityValue)} />
          </Text>
        </Group>
        <Group gap={6} mt={2}>
          <Reputation of={reputation} />
          {withdrawnAt !== undefined && (
            <Badge size="sm" variant="outline" color="gray" c="var(--mantine-color-text)" tt="none">
              withdrawn <RelativeTime at={withdrawnAt} />
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="value" ff="text">
          {clip(matchText(alert))}
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{watchlist}</Table.Td>
      <Table.Td>{count}</Table.Td>
      <Table.Td>
        <RelativeTime at={lastAt} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }} flex={1}>
            <span aria-hidden>{sign} </span>
            {label}
            {assignee !== undefined && ` to ${assignee}`}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            flex="none"
            onClick={open}
            aria-label={`Change the alert of ${entityValue.slice(0, LONG)}`}
          >
            Change
          </Button>
        </Group>
        {note !== undefined && (
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {note}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

const clip = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)
