import { Alert, Button, Group, Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import type { Feed } from './form/selector-form.ts'

/** Whether a feed is held, with both sizes, and how to hold or release it. */
export function Held({ feed }: { feed: Feed }) {
  const refresh = useRefresh()
  const onSuccess = () => refresh('/api/feeds/v1/feeds/{id}', '/api/feeds/v1/feeds')
  const hold = api.useMutation('post', '/api/feeds/v1/feeds/{id}/hold', { onSuccess })
  const release = api.useMutation('post', '/api/feeds/v1/feeds/{id}/release', { onSuccess })
  const params = { params: { path: { id: feed.id } } }
  const error = hold.error ?? release.error
  return (
    <>
      {feed.held !== undefined && (
        <Alert color="red" variant="light" title="This feed is held" data-testid="held">
          <Text size="sm">
            Readers get the list as it was: {formatCount(feed.held.now)} items. Released, it has{' '}
            {formatCount(feed.held.would)}.
          </Text>
        </Alert>
      )}
      <Group gap="sm">
        {feed.state === 'held' ? (
          <Button size="xs" loading={release.isPending} onClick={() => release.mutate(params)}>
            Release
          </Button>
        ) : (
          <Button size="xs" variant="default" loading={hold.isPending} onClick={() => hold.mutate(params)}>
            Hold
          </Button>
        )}
      </Group>
      {error && <ErrorAlert error={error} />}
    </>
  )
}
