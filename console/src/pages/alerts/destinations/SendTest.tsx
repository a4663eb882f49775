import { Button, Stack, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'

/** Sends a test, and says whether it arrived. */
export function SendTest({ id, disabled }: { id: string; disabled: boolean }) {
  const test = api.useMutation('post', '/api/alerts/v1/destinations/{id}/test')
  return (
    <Stack gap="xs">
      <Button
        size="xs"
        w="fit-content"
        disabled={disabled}
        loading={test.isPending}
        onClick={() => test.mutate({ params: { path: { id } }, body: {} })}
      >
        Send a test
      </Button>
      <Text size="sm" role="status" data-testid="test-outcome" style={{ overflowWrap: 'anywhere' }}>
        {test.data && (test.data.delivered ? '✓ The test arrived.' : `✗ The test did not arrive: ${test.data.error}`)}
      </Text>
      {test.error && <ErrorAlert error={test.error} />}
    </Stack>
  )
}
