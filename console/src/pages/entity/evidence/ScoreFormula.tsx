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
          {formula === 1 ? 'The mean of the claims by weight' : 'The median of the claims by weight'}, times how much of
          it still holds, rounded. A claim loses half of its weight every {halfLifeDays} days after its source last saw
          it
          {rules === 'built-in' ? '' : ` (scoring rules ${rules})`}.
        </Text>
        {floored && (
          <Text size="sm">
            The claims say less than 0; it is shown as 0 because it{' '}
            {wellKnown ? 'is well known' : 'lies under what is well known'}.
          </Text>
        )}
        {basis === 'history' && (
          <Text size="sm" c="dimmed">
            Told from the kept records up to then: repeats of a report leave none, so claims may have been fresher.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
