import { Group, Text } from '@mantine/core'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { type LookupResult, useDecider } from './queries.ts'

/** The network, parent domain or host that a value has its score from, where its own reports give none. */
export function DecidedBy({ value, known }: { value: string; known: LookupResult | undefined }) {
  const { data: by } = useDecider(value, known)
  if (by === undefined || by === null) return null
  return (
    <Group gap="xs" data-testid="decided-by">
      <Text size="sm">
        {known?.entities.length === 0 ? 'Not reported itself.' : 'Its own reports give no score.'} Its score comes from
        the {WORDS[by.type] ?? by.type}
      </Text>
      <EntityLink id={by.id} value={by.value} />
      <Reputation of={by.reputation} accuracy={by.accuracy} />
      <Accuracy of={by.accuracy} />
    </Group>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  cidr: 'network',
  domain: 'domain',
  hostname: 'host name',
  ip: 'address',
}
