import { Badge, Group, Text } from '@mantine/core'
import { accuracyLabel, reputationColour, reputationLabel, reputationSign, signed } from './scores.ts'

/** A reputation by sign, word and number. */
export function Reputation({ of }: { of: number }) {
  return (
    <Badge variant="light" autoContrast color={reputationColour(of)} tt="none" style={{ flexShrink: 0 }}>
      <span aria-hidden>{reputationSign(of)} </span>
      {reputationLabel(of)} {signed(of)}
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
