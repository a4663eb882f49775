import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { useCaller } from '../../../session/caller.ts'
import type { Evidence } from '../answers.ts'
import { verdictText } from '../head/verdict-text.ts'
import { formatContribution } from './Contribution.tsx'

/** What decides the score, in numbers and in a sentence: the verdict of the team, or else the claims. */
export function ScoreFormula({ evidence }: { evidence: Evidence }) {
  const { claims, fade, formula, halfLifeDays, rules, verdict, wellKnown, floored, basis } = evidence
  const sum = claims.reduce((total, { contribution }) => total + contribution, 0)
  const mean = formula === 1 ? 'weighted mean' : 'weighted median'
  const reckoned = (
    <Code data-testid="sum" fz="sm">
      {formatContribution(sum)} × {fade.toFixed(2)} = {formatContribution(sum * fade)}
    </Code>
  )
  return (
    <Paper withBorder p="sm" data-testid="reckoning">
      <Stack gap={6}>
        {verdict === undefined ? (
          <Group gap="xs">
            {reckoned}
            <Text span aria-label="rounded">
              →
            </Text>
            <Score evidence={evidence} />
          </Group>
        ) : (
          <>
            <Decided verdict={verdict} evidence={evidence} />
            <Text size="sm" c="dimmed">
              The claims do not count while the verdict holds. Without it, they would result in
            </Text>
            <Group gap="xs">{reckoned}</Group>
          </>
        )}
        <Text size="sm" c="dimmed">
          The {mean} of the claims, multiplied by the decay factor and rounded. The weight of a claim halves every{' '}
          {halfLifeDays} days after its source last reported it
          {rules === 'built-in' ? '' : ` (scoring rules ${rules})`}.
        </Text>
        {floored && (
          <Text size="sm">
            {verdict === undefined ? 'The claims result in' : 'The verdict gives'} less than 0. The score is shown as 0
            because the entity {wellKnown ? 'is well known' : 'is covered by a well-known entity'}.
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

/** The verdict as what decides. */
function Decided({ verdict, evidence }: { verdict: NonNullable<Evidence['verdict']>; evidence: Evidence }) {
  const me = useCaller()?.userID
  return (
    <Group gap="xs" data-testid="verdict-decides">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>The verdict of your team decides:</b> {verdictText(verdict, me)}
      </Text>
      <Score evidence={evidence} />
    </Group>
  )
}

const Score = ({ evidence: { reputation, accuracy } }: { evidence: Evidence }) => (
  <>
    <Reputation of={reputation} accuracy={accuracy} />
    <Accuracy of={accuracy} />
  </>
)
