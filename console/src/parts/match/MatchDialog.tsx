import { Anchor, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Copyable } from '../copy/Copyable.tsx'
import { Reputation } from '../entity/ScoreBadge.tsx'
import { formatCount } from '../format/numbers.ts'
import { Facts } from '../tables/Facts.tsx'
import { formatAgo, formatInstant, RelativeTime } from '../time/RelativeTime.tsx'
import { DIRECTION_WORDS, eventsOf, fieldOf, isSummary, type Match, timesOf, withdrawnWords } from './match.ts'

type Row = [name: string, value: ReactNode]

/** All that is known of a match, and where to go on from it. */
export function MatchDialog({ match, close }: { match: Match; close: () => void }) {
  const { entity, direction, matchedAt, withdrawnAt, withdrawnReason } = match
  const { first, last } = timesOf(match)
  const { label, about } = DIRECTION_WORDS[direction]
  const link = (href: string, text: string) => (
    <Anchor component={Link} href={href} size="sm" underline="always" onClick={close}>
      {text}
    </Anchor>
  )
  return (
    <Modal opened onClose={close} size="lg" title="Match" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm" data-testid="match-details">
        {withdrawnAt !== undefined && (
          <Text size="sm">
            This match was withdrawn <RelativeTime at={withdrawnAt} />: {withdrawnWords(withdrawnReason)}.
          </Text>
        )}
        <Facts
          label="The match"
          rows={[
            [
              'Indicator',
              <span key="entity">
                {entity.type} <span className="value">{entity.value}</span>
              </span>,
            ],
            ['Reputation', <Reputation key="reputation" of={entity.reputation} />],
            ['Tags', entity.tags.length === 0 ? 'none' : entity.tags.join(', ')],
            ['Direction', `${label}: ${about}`],
            ['Matched', <Moment key="matched" at={matchedAt} />],
            [first === last ? 'Event' : 'First event', <Moment key="first" at={first} />],
            ...(first === last ? [] : [['Last event', <Moment key="last" at={last} />] satisfies Row]),
            [isSummary(match) ? 'Matches' : 'Events', formatCount(eventsOf(match))],
            ...eventRows(match),
          ]}
        />
        <Group gap="md">
          {link(`/entity/${entity.id}`, 'Page of the indicator')}
          {link(`/entity/${entity.id}?tab=seen`, 'Where it was seen here')}
          {link(`/matches?entity=${encodeURIComponent(entity.id)}`, 'All matches of it')}
        </Group>
      </Stack>
    </Modal>
  )
}

/** An instant to compare with other logs. */
const Moment = ({ at }: { at: string }) => (
  <>
    {formatInstant(at)}, {formatAgo(at)}
  </>
)

function eventRows(match: Match): Row[] {
  const field: Row = ['Field', fieldOf(match)]
  if (isSummary(match)) return [field]
  const { id, kind, host, user, value, refs } = match.event
  return [
    field,
    [
      'Value',
      <span key="value" className="value">
        {value}
      </span>,
    ],
    ['Kind', kind ?? 'not given'],
    ['Host', host ?? 'not given'],
    ['User', user ?? 'not given'],
    ['Event id', id === undefined ? 'several events' : <Copyable key="id" value={id} what="the id of the event" />],
    [
      'References',
      refs.length === 0 ? (
        'none'
      ) : (
        <Stack key="refs" gap={4}>
          {refs.map((ref) => (
            <Copyable key={ref} value={ref} what={`the reference ${ref}`} />
          ))}
        </Stack>
      ),
    ],
  ]
}
