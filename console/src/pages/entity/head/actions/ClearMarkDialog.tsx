import { Text } from '@mantine/core'
import { client } from '../../../../api/client.ts'
import { Confirm } from '../../../../parts/feedback/Confirm.tsx'
import type { ActionProps } from './action-props.ts'

/** Clears the well-known mark of the entity, after a confirmation. */
export function ClearMarkDialog({ entity, close, acknowledged }: ActionProps) {
  async function run(): Promise<void> {
    await client.DELETE('/api/ingest/v1/well-known/{entityId}', { params: { path: { entityId: entity.id } } })
    acknowledged('Clearing of the mark')
  }
  return (
    <Confirm title="Clear the mark?" action="Clear the mark" run={run} close={close}>
      <Text size="sm" className="value">
        {entity.value.slice(0, 200)}
      </Text>
      <Text size="sm" mt="xs">
        It is judged by its reports again, and so is all that only its mark covers: what they call bad may enter lists
        of feeds within seconds. A later mark marks it again.
      </Text>
    </Confirm>
  )
}
