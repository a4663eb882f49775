import { Button, Collapse, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { EntityLink } from '../../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../../parts/entity/ScoreBadge.tsx'
import { EntityTable } from '../../EntityTable.tsx'
import { inTreeOrder } from '../layout/order.ts'
import { MOST_STEPS, type Shown } from './shown.ts'
import { ways } from './ways.ts'

/** The same entities as the drawing has, each under the one that it hangs on, with their whole values. */
export function GraphList({ shown, toggle }: { shown: Shown; toggle: (id: string) => void }) {
  const [opened, { toggle: show }] = useDisclosure(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={show} aria-expanded={opened}>
        {opened ? 'Hide the list' : `List these ${shown.nodes.length} entities`}
      </Button>
      <Collapse expanded={opened}>{opened && <Entities shown={shown} toggle={toggle} />}</Collapse>
    </>
  )
}

function Entities({ shown, toggle }: { shown: Shown; toggle: (id: string) => void }) {
  const way = ways(shown)
  return (
    <EntityTable label="Entities of the graph" minWidth={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Steps</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th>Entity</Table.Th>
          <Table.Th>How it is related</Table.Th>
          <Table.Th>Reputation</Table.Th>
          <Table.Th>Accuracy</Table.Th>
          <Table.Th>Its relations</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {inTreeOrder(shown.nodes).map(({ id, type, value, level, reputation, accuracy, open, more }) => (
          <Table.Tr key={id} data-testid="graph-row">
            <Table.Td>{level}</Table.Td>
            <Table.Td>{type}</Table.Td>
            <Table.Td>
              <EntityLink id={id} value={value} />
            </Table.Td>
            <Table.Td>{way.get(id)}</Table.Td>
            <Table.Td>
              <Reputation of={reputation} accuracy={accuracy} />
            </Table.Td>
            <Table.Td>
              <Accuracy of={accuracy} />
            </Table.Td>
            <Table.Td>
              {level > 0 && level < MOST_STEPS && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-expanded={open}
                  aria-label={`${open ? 'Fold' : 'Expand'} ${value.slice(0, 200)}`}
                  onClick={() => toggle(id)}
                >
                  {open ? 'Fold' : 'Expand'}
                </Button>
              )}
              {more > 0 && ` ${more} more not shown`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </EntityTable>
  )
}
