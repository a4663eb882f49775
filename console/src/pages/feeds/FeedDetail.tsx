import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, client } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRefresh } from '../../api/refresh.ts'
import { Json } from '../../parts/copy/Json.tsx'
import { Confirm } from '../../parts/feedback/Confirm.tsx'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import { Facts } from '../../parts/tables/Facts.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../session/caller.ts'
import { groupNames } from '../../session/group-name.ts'
import { Downloads } from './Downloads.tsx'
import { FeedState } from './FeedList.tsx'
import type { Feed } from './feed.ts'
import { FeedForm } from './form/FeedForm.tsx'
import { guardText } from './guard-text.ts'
import { Held } from './Held.tsx'
import { Timeline } from './Timeline.tsx'
import { SHOWN, useLatest } from './useLatest.ts'

const REFRESH_MS = 3_000

/** One feed: what it is, how it is read, what changed in it. */
export function FeedDetail({ id, close }: { id: string; close: () => void }) {
  const params = { params: { path: { id } } }
  const result = api.useQuery('get', '/api/feeds/v1/feeds/{id}', params, { refetchInterval: REFRESH_MS })
  const status = result.error === null ? null : asProblem(result.error).status
  // The platform refuses a malformed id with 400.
  if (result.data === undefined && (status === 404 || status === 400)) return <UnknownFeed />
  return <QueryResult of={result}>{(feed) => <FeedContent feed={feed} close={close} />}</QueryResult>
}

/** No feed has this id, or the caller may not read it: the platform answers both alike. */
const UnknownFeed = () => (
  <EmptyState title="No feed that you may read has this id">
    It may have been deleted.{' '}
    <Anchor component={Link} href="/feeds" underline="always">
      See all feeds
    </Anchor>
  </EmptyState>
)

function FeedContent({ feed, close }: { feed: Feed; close: () => void }) {
  const [changing, setChanging] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const refresh = useRefresh()
  const caller = useCaller()

  async function remove(): Promise<void> {
    await client.DELETE('/api/feeds/v1/feeds/{id}', { params: { path: { id: feed.id } } })
    await refresh('/api/feeds/v1/feeds')
    close()
  }

  if (changing) return <FeedForm feed={feed} done={() => setChanging(false)} />
  return (
    <Stack gap="lg" data-testid="feed-detail">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4" className="value">
            {feed.name}
          </Title>
          <FeedState of={feed.state} />
        </Group>
        <Group gap="sm">
          <Button size="compact-sm" variant="default" onClick={() => setChanging(true)}>
            Change
          </Button>
          <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleting(true)}>
            Delete …
          </Button>
          <Button size="compact-sm" variant="default" onClick={close}>
            All feeds
          </Button>
        </Group>
      </Group>
      {feed.state === 'building' && (
        <Text size="sm" role="status">
          The first list is being made.
        </Text>
      )}
      {feed.description !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} data-testid="description">
          {feed.description}
        </Text>
      )}
      <Held feed={feed} />
      <Facts
        label="The feed"
        rows={[
          ['Items', formatCount(feed.items)],
          ['Changes so far', formatCount(feed.sequence)],
          ['Last change', feed.state === 'building' ? 'none yet' : <LastChange key="last" id={feed.id} />],
          [
            'Readers',
            feed.open
              ? 'everybody, without credentials'
              : `${caller?.customer ? 'your team' : 'you'}, in all of these groups: ${groupNames(feed.groups, caller)}`,
          ],
          ['Guard', guardText(feed.guard)],
          ['Most items', feed.cap === null ? 'all' : formatCount(feed.cap)],
          ['Defined', <RelativeTime key="made" at={feed.createdAt} />],
        ]}
      />
      <Downloads feed={feed} />
      {feed.state !== 'building' && <Timeline id={feed.id} />}
      <Json title="Selector" of={feed.selector} rows={240} />
      {deleting && (
        <Confirm title={`Delete the feed ${feed.name}?`} action="Delete" run={remove} close={() => setDeleting(false)}>
          Devices that read it are refused from now on and keep what they have. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}

/** When the list changed last: devices that are older than that have another one. */
function LastChange({ id }: { id: string }) {
  const { data } = useLatest(id, SHOWN)
  const last = data?.items[0]
  return last === undefined ? 'none yet' : <RelativeTime at={last.at} />
}
