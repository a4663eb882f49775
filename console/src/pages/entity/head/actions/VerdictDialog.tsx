import { Modal, Stack, Text } from '@mantine/core'
import { api } from '../../../../api/client.ts'
import { asProblem } from '../../../../api/problem.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { Loading } from '../../../../parts/feedback/Loading.tsx'
import type { ActionProps } from './action-props.ts'
import { VerdictForm } from './VerdictForm.tsx'

/** Decides what every member of the customer is shown of an entity, or takes that back. */
export function VerdictDialog({ entity, close }: ActionProps) {
  const path = { params: { path: { entityId: entity.id } } }
  const { data, error } = api.useQuery('get', '/api/casework/v1/verdicts/{entityId}', path, { retry: false })
  const isNone = error !== null && asProblem(error).status === 404
  return (
    <Modal opened onClose={close} title="Verdict of your team" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Text size="sm">
          A verdict decides the score of this entity for every member of your team, whatever its sources report. Only
          your team sees the verdict. The feeds of your team follow within seconds: a benign entity leaves block lists,
          a malicious entity enters them.
        </Text>
        {error !== null && !isNone && <ErrorAlert error={error} />}
        {isNone || data !== undefined ? (
          <VerdictForm id={entity.id} held={isNone ? null : data!} close={close} />
        ) : (
          error === null && <Loading lines={4} />
        )}
      </Stack>
    </Modal>
  )
}
