import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { formatCount } from '../../../parts/format/numbers.ts'
import { TimeChart } from '../../../parts/match/TimeChart.tsx'
import { timelineOf } from '../../../parts/match/time-buckets.ts'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { SeenRows } from './SeenRows.tsx'
import { hostsOf, type Seen } from './seen.ts'

const SHOWN_HOSTS = 20
const EVENTS = ['events'] as const
const LOOKS = [{ series: 'events', name: 'events', color: '#2da598' }] as const

/** How often, when and on which hosts a value was seen. */
export function SeenCard({ seen: { count, first, last, rows, items } }: { seen: Seen }) {
  const timeline = useMemo(
    () =>
      timelineOf(
        EVENTS,
        items.map((row) => ({ at: Date.parse(row.hour), count: row.count, series: 'events' as const })),
      ),
    [items],
  )
  const hosts = hostsOf(items)
  const others = hosts.length - SHOWN_HOSTS
  return (
    <Stack gap="sm" component="section" aria-labelledby="seen-here">
      <Title order={2} size="h4" id="seen-here">
        Seen here
      </Title>
      <Facts
        label="Seen here"
        rows={[
          [
            'Events',
            <span key="count" data-testid="seen-count">
              {formatCount(count)}
            </span>,
          ],
          ['First seen', first === null ? '—' : <RelativeTime key="first" at={first} />],
          ['Last seen', last === null ? '—' : <RelativeTime key="last" at={last} />],
          [
            'Hosts',
            hosts.length === 0
              ? 'none named'
              : `${hosts.slice(0, SHOWN_HOSTS).join(', ')}${others > 0 ? ` and ${formatCount(others)} more` : ''}`,
          ],
        ]}
      />
      {rows > items.length && (
        <Text size="sm">
          The chart and the table have the newest {formatCount(items.length)} of {formatCount(rows)} rows.
        </Text>
      )}
      <TimeChart title="Seen in telemetry" what="events" timeline={timeline} looks={LOOKS} height={150} />
      <SeenRows rows={items} />
    </Stack>
  )
}
