import { Text } from '@mantine/core'
import { useCaller } from '../../../session/caller.ts'
import type { Standing } from './useStanding.ts'
import { verdictText } from './verdict-text.ts'

/** What decides about the entity beside its claims, one plain line for each. */
export function StandingLines({ verdict, retracted }: Pick<Standing, 'verdict' | 'retracted'>) {
  const me = useCaller()?.userID
  return (
    <>
      {verdict !== null && (
        <Text size="sm" data-testid="decided" style={{ overflowWrap: 'anywhere' }}>
          <b>Your team decided:</b> {verdictText(verdict, me)}
        </Text>
      )}
      {retracted && (
        <Text size="sm" data-testid="retracted">
          <b>All reports that you may read were retracted.</b> No report counts any more, so the entity is in no list,
          search or feed. The history keeps the reports. A new report brings the entity back.
        </Text>
      )}
    </>
  )
}
