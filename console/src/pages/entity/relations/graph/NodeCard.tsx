import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { scoreText } from '../../../../parts/entity/scores.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { MOST_STEPS, type ShownNode } from './shown.ts'
import type { Expansion } from './useGraph.ts'

const TAGS = 8

/** The node that is looked at: its whole value, its page, and what became of its expansion. */
export function NodeCard({ node, expansion }: { node: ShownNode; expansion: Expansion | undefined }) {
  const { id, type, value, reputation, accuracy, tags, level } = node
  return (
    <Stack gap={4} mt="xs" mih={72} data-testid="looked">
      <Text size="sm" component="p" m={0}>
        {type} <span className="value">{value.slice(0, 2_000)}</span> · {scoreText(reputation, accuracy)}
        {tags.length > 0 && ` · ${tags.slice(0, TAGS).join(', ')}`}
      </Text>
      <Group gap="sm">
        <Text size="sm" role="status" data-testid="expansion">
          {stateOf(node, expansion)}
        </Text>
        {level > 0 && (
          <Anchor component={Link} underline="always" href={`/entity/${id}?tab=relations`} size="sm">
            Open its page
          </Anchor>
        )}
      </Group>
      {expansion?.error != null && <ErrorAlert error={expansion.error} again={expansion.again} />}
    </Stack>
  )
}

function stateOf({ open, more, level }: ShownNode, expansion: Expansion | undefined): string {
  if (level === 0) return more > 0 ? `${more} more not shown.` : 'The entity of this page.'
  if (level >= MOST_STEPS) return 'Three steps away: open its page to continue.'
  if (!open) return 'Click or press Enter to show its relations.'
  if (expansion?.waiting) return 'Asking for its relations …'
  if (expansion?.error != null) return 'Its relations could not be read.'
  if (more > 0) return `${expansion?.truncated ? 'More than ' : ''}${more} more not shown. Open its page to see all.`
  return 'All of its relations are shown. Click or press Enter to fold it.'
}
