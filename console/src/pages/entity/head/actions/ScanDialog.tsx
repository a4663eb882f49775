import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../../../api/client.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'

/** Requests a scan, after a confirmation: the target can notice the scan. */
export function ScanDialog({ entity, close }: { entity: { value: string }; close: () => void }) {
  const scan = api.useMutation('post', '/api/ingest/v1/scan')
  return (
    <Modal opened onClose={close} title="Scan" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">
          A scan resolves names, connects to a few ports and reads banners and certificates. The target can notice the
          scan. The findings become your reports.
        </Text>
        <Text size="sm" className="value">
          {entity.value}
        </Text>
        <div role="status">
          {scan.data && (
            <Text size="sm" data-testid="scan">
              The scan is {scan.data.status}.{' '}
              <Anchor component={Link} href="/scans" size="sm" underline="always">
                See your scans
              </Anchor>
            </Text>
          )}
        </div>
        {scan.error !== null && <ErrorAlert error={scan.error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            {scan.data ? 'Close' : 'Cancel'}
          </Button>
          {!scan.data && (
            <Button onClick={() => scan.mutate({ body: { target: entity.value } })} loading={scan.isPending}>
              Start the scan
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
