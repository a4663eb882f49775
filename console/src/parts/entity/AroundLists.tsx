import { Group, Stack, Text } from '@mantine/core'
import { EntityLink } from './EntityLink.tsx'
import { Reputation } from './ScoreBadge.tsx'
import type { AroundAnswer } from './useAround.ts'

type Known = { id: string; value: string; reputation: number }
type Listed = NonNullable<AroundAnswer['inside']>

/** The known entities around a value: in it, above it, below it. A list that is empty is said to be. */
export function AroundLists({ of }: { of: AroundAnswer }) {
  const { inside, parents = [], below, carriedBy } = of
  const above = parents.flatMap(({ id, value, known }) =>
    known === null ? [] : [{ id, value, reputation: known.reputation }],
  )
  return (
    <>
      {inside !== undefined && <Entities title="Known inside" items={inside.items} known={knownOf(inside)} />}
      {above.length > 0 && <Entities title="Above it" items={above.length} known={above} />}
      {below !== undefined && <Entities title="Known below it" items={below.items} known={knownOf(below)} />}
      {carriedBy !== undefined && <Entities title="Seen on it" items={carriedBy.items} known={knownOf(carriedBy)} />}
    </>
  )
}

const knownOf = ({ results }: Listed): Known[] =>
  results.map(({ id, type, attributes, reputation }) => ({ id, value: attributes[type] ?? id, reputation }))

function Entities({ title, items, known }: { title: string; items: number; known: readonly Known[] }) {
  return (
    <Stack gap={4} data-testid="around-list">
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {known.length === 0 && <Text size="sm">Nothing that you may read.</Text>}
      <Group component="ul" p={0} m={0} gap="xs" aria-label={title} style={{ listStyle: 'none' }}>
        {known.map(({ id, value, reputation }) => (
          <Group component="li" key={id} gap={6} style={{ overflowWrap: 'anywhere' }}>
            <EntityLink id={id} value={value.length > 120 ? `${value.slice(0, 120)}…` : value} />
            <Reputation of={reputation} />
          </Group>
        ))}
      </Group>
      {items > known.length && (
        <Text size="xs">
          The {known.length} worst of {items.toLocaleString('en')}.
        </Text>
      )}
    </Stack>
  )
}
