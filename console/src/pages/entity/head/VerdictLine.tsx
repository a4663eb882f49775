import { Text } from '@mantine/core'
import { verdictLine } from '../../../../../schemas/intelligence/verdict-line.ts'
import { useNow } from '../../../parts/time/useNow.ts'
import type { Evidence } from '../answers.ts'

const MINUTE_MS = 60_000

/** The verdict in one sentence. Keeps its line while it loads. */
export function VerdictLine({ evidence }: { evidence: Evidence | null }) {
  const now = useNow(MINUTE_MS)
  return (
    <Text fw={600} mih={24} data-testid="verdict-line" style={{ overflowWrap: 'anywhere' }}>
      {evidence === null ? '' : verdictLine(evidence, now)}
    </Text>
  )
}
