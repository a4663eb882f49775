import { Button, Collapse, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import type { GraphNode } from '../answers.ts'
import { EntityTable } from '../EntityTable.tsx'

/** The same entities as the drawing has, nearest first. */
export function GraphList({ nodes }: { nodes: readonly GraphNode[] }) {
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={opened}>
        {opened ? 'Hide the list' : `List these ${nodes.length} entities`}
      </Button>
      <Collapse expanded={opened}>
        {opened && (
          <EntityTable label="Entities of the graph" minWidth={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Steps</Table.Th>
                <Table.Th>Type</Table.Th>
                <Table.Th>Entity</Table.Th>
                <Table.Th>Reputation</Table.Th>
                <Table.Th>Accuracy</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {nodes.map(({ id, type, value, level, reputation, accuracy }) => (
                <Table.Tr key={id} data-testid="graph-row">
                  <Table.Td>{level}</Table.Td>
                  <Table.Td>{type}</Table.Td>
                  <Table.Td>
                    <EntityLink id={id} value={value} />
                  </Table.Td>
                  <Table.Td>
                    <Reputation of={reputation} accuracy={accuracy} />
                  </Table.Td>
                  <Table.Td>
                    <Accuracy of={accuracy} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </EntityTable>
        )}
      </Collapse>
    </>
  )
}
