import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../parts/tables/Facts.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import { ScanState } from './ScanList.tsx'
import { isActive, SCAN_STATES, type Scan, WEBHOOK_STATES } from './states.ts'

const LIVE_MS = 1_000

/** One scan: its state, its findings, and the reason if it failed. */
export function ScanDetail({ id, every, close }: { id: string; every: boolean; close: () => void }) {
  const options = {
    refetchInterval: ({ state }: { state: { data?: Scan | undefined } }) =>
      state.data && isActive(state.data) ? LIVE_MS : (false as const),
  }
  const params = { params: { path: { id } } }
  const own = api.useQuery('get', '/api/ingest/v1/scan/{id}', params, { ...options, enabled: !every })
  const any = api.useQuery('get', '/api/ingest/v1/admin/scans/{id}', params, { ...options, enabled: every })
  return (
    <Paper withBorder p="md" data-testid="scan-detail">
      <QueryResult of={every ? any : own}>
        {(scan) => <ScanContent scan={scan} every={every} close={close} />}
      </QueryResult>
    </Paper>
  )
}

function ScanContent({ scan, every, close }: { scan: Scan; every: boolean; close: () => void }) {
  const refresh = useRefresh()
  const retry = api.useMutation('post', '/api/ingest/v1/admin/scans/{id}/retry', {
    onSuccess: () => refresh('/api/ingest/v1/admin/scans', '/api/ingest/v1/admin/scans/{id}'),
  })
  const ended = scan.status === 'done' || scan.status === 'permanent_failure'
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" className="value">
          {scan.target}
        </Title>
        <Button size="compact-sm" variant="default" onClick={close}>
          Close
        </Button>
      </Group>
      <Group gap="xs" role="status">
        <ScanState of={scan.status} />
        <Text size="sm">{SCAN_STATES[scan.status].about}</Text>
      </Group>
      {scan.error !== null && (
        <Text size="sm" data-testid="scan-error">
          {scan.status === 'permanent_failure' ? 'Why it failed' : 'Last error'}:{' '}
          <span className="value">{scan.error}</span>
        </Text>
      )}
      <Facts
        label="The scan"
        rows={[
          ['Requested', <RelativeTime key="requested" at={scan.createdAt} />],
          ['Started', scan.startedAt === null ? 'not yet' : <RelativeTime key="began" at={scan.startedAt} />],
          ['Finished', scan.finishedAt === null ? 'not yet' : <RelativeTime key="ended" at={scan.finishedAt} />],
          ['Entities reported', scan.entities],
          ['Retries', scan.retries === 0 ? 'none' : `${scan.retries} of 2`],
          ['Webhook', scan.webhook === null ? 'none' : `${scan.webhook.url} ${WEBHOOK_STATES[scan.webhook.state]}`],
          [
            'Task id',
            <span key="id" className="value">
              {scan.id}
            </span>,
          ],
        ]}
      />
      <Group gap="sm">
        {scan.status === 'done' && scan.entities > 0 && (
          <Anchor component={Link} href={`/search?q=${encodeURIComponent(scan.target)}`} size="sm" underline="always">
            Search for {scan.target}
          </Anchor>
        )}
        {every && ended && (
          <Button
            size="xs"
            loading={retry.isPending}
            onClick={() => retry.mutate({ params: { path: { id: scan.id } } })}
          >
            Scan again
          </Button>
        )}
      </Group>
      {retry.error && <ErrorAlert error={retry.error} />}
    </Stack>
  )
}
