import { Text } from '@mantine/core'
import { Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { scoreText } from '../../../parts/entity/scores.ts'
import type { Item } from '../feed.ts'
import { type States, stateTexts } from './states.ts'

export type RowWork = {
  states: States
  me: string | undefined
  selected: ReadonlySet<string>
  choose: (id: string, shift: boolean) => void
  chooseAll: () => void
}

/** The score, and what it was before it moved. */
export function Score({ item, from }: { item: Item; from: number | undefined }) {
  return (
    <>
      <Reputation of={item.reputation} accuracy={item.accuracy} />
      {from !== undefined && (
        <Text size="xs" c="dimmed" data-testid="moved">
          was {scoreText(from)}
        </Text>
      )}
    </>
  )
}

/** What the team noted of the entity. */
export function WorkTexts({ item, work }: { item: Item; work: RowWork }) {
  const texts = stateTexts(item, work.states.get(item.id), work.me)
  if (texts.length === 0) return null
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} data-testid="work">
      {texts.join(' · ')}
    </Text>
  )
}
