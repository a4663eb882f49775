import { Text } from '@mantine/core'
import { client } from '../../../../api/client.ts'
import { Confirm } from '../../../../parts/feedback/Confirm.tsx'
import type { ActionProps } from './action-props.ts'

/** Clears the well-known mark of the entity, after a confirmation. */
export function ClearMarkDialog({ entity, close, acknowledged }: ActionProps) {
  async function run(): Promise<void> {
    await client.DELETE('/api/ingest/v1/well-known/{entityId}', { params: { path: { entityId: entity.id } } })
    acknowledged('Removal of the mark')
  }
  return (
    <Confirm title="Clear the mark?" action="Clear the mark" run={run} close={close}>
      <Text size="sm" className="value">
        {entity.value.slice(0, 200)}
      </Text>
      <Text size="sm" mt="xs">
        The entity is scored by its reports again, and so are all entities that only this mark covers. Malicious ones
        may enter feeds within seconds. You can mark the entity again later.
      </Text>
    </Confirm>
  )
}
