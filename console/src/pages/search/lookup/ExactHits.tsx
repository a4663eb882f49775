import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { SearchError } from '../results/SearchError.tsx'
import type { Entity, LookupResult } from './queries.ts'

/** The entities that match the value exactly, above all other results. Enter opens the first. */
export function ExactHits({ of }: { of: UseQueryResult<LookupResult> }) {
  const first = useRef<HTMLAnchorElement>(null)
  const hit = of.data?.entities[0]?.id
  useEffect(() => {
    // After a search from the header no element has the focus yet.
    const at = document.activeElement
    if (hit !== undefined && (at === null || at === document.body || at.tagName === 'H1')) first.current?.focus()
  }, [hit])
  if (of.error) return <SearchError error={of.error} again={() => void of.refetch()} />
  if (!of.data) return null
  const { entities, coveredBy = [] } = of.data
  return (
    <>
      {entities.map((entity, index) => (
        <Hit key={entity.id} entity={entity} open={index === 0 ? first : null} />
      ))}
      {coveredBy.length > 0 && (
        <Group gap="xs" data-testid="covered-by">
          <Text size="sm">Part of {coveredBy.length === 1 ? 'a known network' : 'known networks'}:</Text>
          {coveredBy.map(({ id, value, reputation }) => (
            <Group key={id} gap={6}>
              <EntityLink id={id} value={value} />
              <Reputation of={reputation} />
            </Group>
          ))}
        </Group>
      )}
    </>
  )
}

function Hit({ entity, open }: { entity: Entity; open: React.Ref<HTMLAnchorElement> | null }) {
  const { id, type, attributes, reputation, accuracy, tags, wellKnown, lastSeen } = entity
  const value = String((attributes as Record<string, unknown>)[type] ?? id)
  return (
    <Paper withBorder p="sm" data-testid="hit">
      <Group justify="space-between" gap="sm">
        <Stack gap={6} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Group gap="xs">
            <Badge variant="outline" color="gray" tt="none">
              {type}
            </Badge>
            <Text className="value" fw={600}>
              {value.length > 500 ? `${value.slice(0, 500)}…` : value}
            </Text>
          </Group>
          <Group gap="sm">
            <Reputation of={reputation} accuracy={accuracy} />
            <Accuracy of={accuracy} />
            {wellKnown && <Badge tt="none">well known</Badge>}
            <Text size="xs" c="dimmed">
              last seen <RelativeTime at={lastSeen} />
            </Text>
            <Text size="xs">{tags.slice(0, 10).join(' · ')}</Text>
          </Group>
        </Stack>
        <Button
          component={Link}
          href={`/entity/${id}`}
          ref={open}
          {...(open ? { 'data-first-hit': true } : {})}
          variant={open ? 'filled' : 'default'}
          aria-label={`Open ${type} ${value.slice(0, 200)}`}
        >
          Open
        </Button>
      </Group>
    </Paper>
  )
}
