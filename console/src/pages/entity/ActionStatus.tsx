import { Alert } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import type { ActionState } from './useActionStatus.ts'

const STATE_TEXT = {
  waiting: 'acknowledged; it is shown in a moment.',
  shown: 'acknowledged and shown.',
  late: 'acknowledged. It is kept, and not shown yet: the platform is busy. Load the page again later.',
} as const

/** What became of the caller's last action; read out as it changes. */
export function ActionStatus({ status, close }: { status: ActionState | null; close: () => void }) {
  return (
    <div role="status" data-testid="acknowledged">
      {status && (
        <Alert
          color={status.state === 'shown' ? 'teal' : 'blue'}
          variant="light"
          py="xs"
          mt="xs"
          icon={status.state === 'shown' ? <IconCheck aria-hidden /> : <IconClock aria-hidden />}
          withCloseButton
          closeButtonLabel="Close the message"
          onClose={close}
        >
          {status.what} {STATE_TEXT[status.state]}
        </Alert>
      )}
    </div>
  )
}
