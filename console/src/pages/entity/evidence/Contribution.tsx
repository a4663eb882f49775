import { Box, Group, Text } from '@mantine/core'

const HALF = 36
const FULL = 3

/** The contribution of a claim: a bar from the middle, left for less and right for more, and the number. */
export function Contribution({ of }: { of: number }) {
  const width = Math.min(1, Math.abs(of) / FULL) * HALF
  return (
    <Group gap="xs" wrap="nowrap" justify="end">
      <Box
        aria-hidden
        pos="relative"
        w={2 * HALF}
        h={10}
        bg="var(--mantine-color-default-border)"
        style={{ flexShrink: 0 }}
      >
        <Box
          pos="absolute"
          h={10}
          w={width}
          left={of < 0 ? HALF - width : HALF}
          bg={of < 0 ? 'var(--mantine-color-red-filled)' : 'var(--mantine-color-teal-filled)'}
        />
        <Box pos="absolute" h={10} w={1} left={HALF} bg="var(--mantine-color-text)" />
      </Box>
      <Text span size="sm" ff="monospace" w={52} ta="right" data-testid="contribution">
        {formatContribution(of)}
      </Text>
    </Group>
  )
}

/** Two digits, and a sign that people read. */
export const formatContribution = (value: number): string => {
  const text = Math.abs(value).toFixed(2)
  return value < 0 && text !== '0.00' ? `−${text}` : text
}
