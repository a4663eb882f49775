import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import type { Evidence } from '../answers.ts'
import { formatContribution } from './Contribution.tsx'

/** How the score follows from the claims, in numbers and in a sentence. */
export function ScoreFormula({ evidence }: { evidence: Evidence }) {
  const { claims, fade, formula, halfLifeDays, rules, reputation, accuracy, wellKnown, floored, basis } = evidence
  const sum = claims.reduce((total, { contribution }) => total + contribution, 0)
  return (
    <Paper withBorder p="sm" data-testid="reckoning">
      <Stack gap={6}>
        <Group gap="xs">
          <Code data-testid="sum" fz="sm">
            {formatContribution(sum)} × {fade.toFixed(2)} = {formatContribution(sum * fade)}
          </Code>
          <Text span aria-label="rounded">
            →
          </Text>
          <Reputation of={reputation} />
          <Accuracy of={accuracy} />
        </Group>
        <Text size="sm" c="dimmed">
          {formula === 1 ? 'The weighted mean of the claims' : 'The weighted median of the claims'}, multiplied by the
          decay factor and rounded. The weight of a claim halves every {halfLifeDays} days after its source last
          reported it
          {rules === 'built-in' ? '' : ` (scoring rules ${rules})`}.
        </Text>
        {floored && (
          <Text size="sm">
            The claims result in less than 0. The score is shown as 0 because the entity{' '}
            {wellKnown ? 'is well known' : 'is covered by a well-known entity'}.
          </Text>
        )}
        {basis === 'history' && (
          <Text size="sm" c="dimmed">
            Computed from the stored records up to that time. A repeated report leaves no record, so claims may have
            been more recent.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
