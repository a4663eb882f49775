import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import type { Match } from '../../../parts/match/match.ts'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { byHost, byIndicator } from './groups.ts'

const PAGE = 100
const LONG = 200

/** The shown matches by host. */
export function HostTable({ matches }: { matches: readonly Match[] }) {
  const groups = useMemo(() => byHost(matches), [matches])
  const { items, more } = useSome(groups)
  return (
    <Stack gap="xs">
      <ScrollTable
        label="Matches by host"
        minWidth={640}
        columns={['Host', ['Matches', 90], ['Events', 90], ['Indicators', 100], ['First', 130], ['Last', 130]]}
      >
        {items.map(({ host, matches: count, events, indicators, first, last }) => (
          <Table.Tr key={JSON.stringify(host)} data-testid="host">
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{host ?? <Text size="sm">no host named</Text>}</Table.Td>
            <Table.Td>{formatCount(count)}</Table.Td>
            <Table.Td>{formatCount(events)}</Table.Td>
            <Table.Td>{formatCount(indicators)}</Table.Td>
            <Table.Td>
              <RelativeTime at={first} />
            </Table.Td>
            <Table.Td>
              <RelativeTime at={last} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
      {more}
    </Stack>
  )
}

/** The shown matches by indicator; `only`: shows those of one. */
export function IndicatorTable({ matches, only }: { matches: readonly Match[]; only: (id: string) => void }) {
  const groups = useMemo(() => byIndicator(matches), [matches])
  const { items, more } = useSome(groups)
  return (
    <Stack gap="xs">
      <ScrollTable
        label="Matches by indicator"
        minWidth={760}
        columns={['Indicator', ['Matches', 90], ['Events', 80], ['Hosts', 70], ['First', 120], ['Last', 120], ['', 80]]}
      >
        {items.map(({ entity, matches: count, events, hosts, first, last, withdrawn }) => (
          <Table.Tr key={entity.id} data-testid="indicator">
            <Table.Td>
              <Group gap={6}>
                <Text span size="xs" c="dimmed">
                  {entity.type}
                </Text>
                <EntityLink id={entity.id} value={clip(entity.value)} />
              </Group>
              <Group gap={6} mt={2}>
                <Reputation of={entity.reputation} />
                {withdrawn && <Text size="xs">all withdrawn</Text>}
              </Group>
            </Table.Td>
            <Table.Td>{formatCount(count)}</Table.Td>
            <Table.Td>{formatCount(events)}</Table.Td>
            <Table.Td>{formatCount(hosts)}</Table.Td>
            <Table.Td>
              <RelativeTime at={first} />
            </Table.Td>
            <Table.Td>
              <RelativeTime at={last} />
            </Table.Td>
            <Table.Td>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => only(entity.id)}
                aria-label={`Only the matches of ${clip(entity.value)}`}
              >
                Only
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
      {more}
    </Stack>
  )
}

/** The first of many, and a button that shows more of them. */
function useSome<Item>(all: readonly Item[]) {
  const [count, setCount] = useState(PAGE)
  const left = all.length - count
  const more = left > 0 && (
    <Button variant="default" size="xs" w="fit-content" onClick={() => setCount(count + PAGE)}>
      Show {Math.min(PAGE, left)} more rows
    </Button>
  )
  return { items: all.slice(0, count), more }
}

const clip = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)
