import { SimpleGrid, Text } from '@mantine/core'
import { type Bar, BarTable } from '../../parts/charts/BarTable.tsx'
import { Accuracy, Reputation } from '../../parts/entity/ScoreBadge.tsx'
import { reputationColour } from '../../parts/entity/scores.ts'
import { type FigureFilter, searchLink } from '../../parts/figures/search-link.ts'
import { Breakdown } from './Breakdown.tsx'
import { type Figures, inOrder, type KeyCount } from './figures.ts'

const REPUTATIONS = [-3, -2, -1, 0, 1, 2, 3]
const ACCURACIES = [3, 2, 1, 0]
/** Longer lists are cut; a button shows the whole list. */
const SHOWN = 10

/** How the entities of `figures` divide; `scope` says which these are. */
export function Breakdowns({ figures, scope }: { figures: Figures; scope: string }) {
  const { of, entities } = figures
  const bars = (counts: readonly KeyCount[], narrow: (key: string) => FigureFilter): Bar[] =>
    counts.map(({ key, count }) => ({ key, count, href: searchLink({ ...of, ...narrow(key) }) }))
  const reputations = bars(inOrder(REPUTATIONS, figures.reputations), (key) => ({ reputation: Number(key) }))
  const accuracies = bars(inOrder(ACCURACIES, figures.accuracies), (key) => ({ accuracy: Number(key) }))
  const types = bars(figures.types, (key) => ({ types: [key] }))
  const tags = bars(figures.tags, (tag) => ({ tag }))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }} spacing="sm" data-testid="breakdowns">
      <Breakdown title="Reputation" scope={scope} id="by-reputation">
        <BarTable
          label={`By reputation, ${scope}`}
          what="Reputation"
          total={entities}
          bars={reputations.map((bar) => ({
            ...bar,
            name: <Reputation of={Number(bar.key)} />,
            colour: reputationColour(Number(bar.key)),
          }))}
        />
      </Breakdown>
      <Breakdown title="Accuracy" scope={scope} id="by-accuracy">
        <BarTable
          label={`By accuracy, ${scope}`}
          what="Accuracy"
          total={entities}
          bars={accuracies.map((bar) => ({ ...bar, name: <Accuracy of={Number(bar.key)} /> }))}
        />
      </Breakdown>
      <Breakdown title="Types" scope={scope} id="by-type" more={types.length - SHOWN}>
        {(all) => (
          <BarTable
            label={`By type, ${scope}`}
            what="Type"
            total={entities}
            bars={all ? types : types.slice(0, SHOWN)}
          />
        )}
      </Breakdown>
      <Breakdown title="Top tags" scope={scope} id="by-tag" more={tags.length - SHOWN}>
        {(all) =>
          tags.length === 0 ? (
            <Text size="sm" c="dimmed">
              None of these entities has a tag.
            </Text>
          ) : (
            <BarTable label={`By tag, ${scope}`} what="Tag" total={entities} bars={all ? tags : tags.slice(0, SHOWN)} />
          )
        }
      </Breakdown>
    </SimpleGrid>
  )
}
