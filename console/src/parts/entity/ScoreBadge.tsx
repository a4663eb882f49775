import { Badge, Group, Text } from '@mantine/core'
import { accuracyLabel, formatReputation, reputationColour, reputationLabel, reputationSign } from './scores.ts'

/** Text of a colour on its own light shade with 4.5:1 or more. */
const legibleColour = (colour: string): string =>
  `light-dark(color-mix(in srgb, var(--mantine-color-${colour}-9) 60%, black), var(--mantine-color-${colour}-2))`

/** A reputation by sign, word and number. */
export function Reputation({ of }: { of: number }) {
  const colour = reputationColour(of)
  return (
    <Badge variant="light" color={colour} c={legibleColour(colour)} tt="none" miw="max-content">
      <span aria-hidden>{reputationSign(of)} </span>
      {reputationLabel(of)} {formatReputation(of)}
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
