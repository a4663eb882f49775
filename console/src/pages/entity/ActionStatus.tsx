import { Alert } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import type { ActionState } from './useActionStatus.ts'

const STATE_TEXT = {
  waiting: 'acknowledged; it is shown in a moment.',
  shown: 'acknowledged and shown.',
  late: 'acknowledged. It is kept, and not shown yet: the platform is busy. Load the page again later.',
} as const

/** What became of the caller's last action; read out as it changes. */
export function ActionStatus({ said, close }: { said: ActionState | null; close: () => void }) {
  return (
    <div role="status" data-testid="acknowledged">
      {said && (
        <Alert
          color={said.state === 'shown' ? 'teal' : 'blue'}
          variant="light"
          py="xs"
          mt="xs"
          icon={said.state === 'shown' ? <IconCheck aria-hidden /> : <IconClock aria-hidden />}
          withCloseButton
          closeButtonLabel="Close the message"
          onClose={close}
        >
          {said.what} {STATE_TEXT[said.state]}
        </Alert>
      )}
    </div>
  )
}
