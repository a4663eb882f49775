import { Text } from '@mantine/core'
import { stateWords } from './state-words.ts'
import type { Live } from './useLive.ts'

/** The state of the stream, by a sign and in words. */
export function LiveStateText({ live }: { live: Live }) {
  const { sign, text } = stateWords(live)
  return (
    <Text size="xs" role="status" data-testid="live-state" data-state={live.state}>
      <span aria-hidden>{sign} </span>
      {text}
    </Text>
  )
}
