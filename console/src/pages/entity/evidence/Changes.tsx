import { Anchor, Table, Text } from '@mantine/core'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import type { ScorePoint } from '../answers.ts'
import { EntityTable } from '../EntityTable.tsx'
import { changesOf, isUnknown, NOTHING_KNOWN } from './score-series.ts'

type Props = {
  points: readonly ScorePoint[]
  at: string | null
  /** Unix milliseconds; what is later is expected. */
  now: number
  choose: (at: string) => void
}

/** The numbers of the chart where they change; each leads to its claims. */
export function Changes({ points, at, now, choose }: Props) {
  return (
    <EntityTable label="Changes of the score" minWidth={480}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>From</Table.Th>
          <Table.Th>Reputation</Table.Th>
          <Table.Th>Accuracy</Table.Th>
          <Table.Th ta="right">Claims</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changesOf(points).map((point) => (
          <Table.Tr key={point.at} data-testid="change">
            <Table.Td>
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="left"
                underline="always"
                aria-current={point.at === at ? 'true' : undefined}
                onClick={() => choose(point.at)}
              >
                {formatInstant(point.at)}
              </Anchor>
              {Date.parse(point.at) > now && (
                <Text span size="xs" c="dimmed" ml="xs">
                  expected
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              {isUnknown(point) ? (
                <Text size="sm" c="dimmed">
                  {NOTHING_KNOWN}
                </Text>
              ) : (
                <Reputation of={point.reputation} accuracy={point.accuracy} />
              )}
            </Table.Td>
            <Table.Td>{isUnknown(point) ? '—' : <Accuracy of={point.accuracy} />}</Table.Td>
            <Table.Td ta="right">{point.claims}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </EntityTable>
  )
}
