import { Stack } from '@mantine/core'
import { useMay } from '../../../session/caller.ts'
import type { ActionProps } from '../head/actions/action-props.ts'
import { RelationGraph } from './graph/RelationGraph.tsx'
import { RelateForm } from './RelateForm.tsx'
import { RelationList } from './RelationList.tsx'

/** The relations of the entity: a graph of its surroundings, a list of direct relations, and a form to report one. */
export function RelationsTab({ entity, acknowledged }: Omit<ActionProps, 'close'>) {
  const mayReport = useMay('reporter')
  return (
    <Stack gap="lg">
      <RelationGraph id={entity.id} />
      <RelationList id={entity.id} />
      {mayReport && <RelateForm id={entity.id} acknowledged={acknowledged} />}
    </Stack>
  )
}
