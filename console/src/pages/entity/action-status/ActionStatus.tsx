import { Alert } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import type { ActionState } from './useActionStatus.ts'

const STATE_TEXT = {
  waiting: 'accepted. It will appear shortly.',
  shown: 'accepted and visible.',
  late: 'accepted, but not visible yet because the platform is busy. Reload the page later.',
} as const

/** The status of the caller's last action. Screen readers announce its changes. */
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
