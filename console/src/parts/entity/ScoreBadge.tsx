import { Badge, Group, Text } from '@mantine/core'
import { accuracyLabel, claimText, reputationColour, reputationSign, scoreText } from './scores.ts'

/** Text of a colour on its own light shade with 4.5:1 or more. */
const legibleColour = (colour: string): string =>
  `light-dark(color-mix(in srgb, var(--mantine-color-${colour}-9) 60%, black), var(--mantine-color-${colour}-2))`

/** The score of an entity by sign, word and number; without a word of good or bad where nobody says one. */
export const Reputation = ({ of, accuracy }: { of: number; accuracy?: number | undefined }) => (
  <Mark of={of} text={scoreText(of, accuracy)} />
)

/** What one source claims: its 0 is a word too. */
export const ClaimedReputation = ({ of }: { of: number }) => <Mark of={of} text={claimText(of)} />

function Mark({ of, text }: { of: number; text: string }) {
  const colour = reputationColour(of)
  return (
    <Badge variant="light" color={colour} c={legibleColour(colour)} tt="none" miw="max-content">
      <span aria-hidden>{reputationSign(of)} </span>
      {text}
    </Badge>
  )
}

/** An accuracy as bars and a word. */
export function Accuracy({ of }: { of: number }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text span size="xs" ff="monospace" aria-hidden>
        {'▮'.repeat(of)}
        {'▯'.repeat(3 - of)}
      </Text>
      <Text span size="xs">
        {accuracyLabel(of)}
      </Text>
    </Group>
  )
}
