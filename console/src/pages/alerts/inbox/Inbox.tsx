import { Anchor, Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconChecks, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { csv, download } from '../../../parts/format/csv.ts'
import { formatCount } from '../../../parts/format/numbers.ts'
import { choice } from '../../../parts/page/choice.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { useWatchlists } from '../../../parts/watch/useWatchlists.ts'
import { AlertDialog } from './AlertDialog.tsx'
import { AlertTable } from './AlertTable.tsx'
import { type Alert, EXPORT_COLUMNS, exportRows, newestOf, STATE_WORDS, STATES } from './alerts.ts'
import { useInbox } from './useInbox.ts'

const ANY = 'any'

/** `/alerts?state=&unread=yes`: the alerts of the caller, newest first. */
export default function Inbox() {
  const [stateParameter, setState] = useParameter('state')
  const [unreadParameter, setUnread] = useParameter('unread')
  const state = choice([ANY, ...STATES], stateParameter, ANY)
  const unread = unreadParameter === 'yes'
  const alerts = useInbox(state === ANY ? null : state, unread)
  const watchlists = useWatchlists()
  const [opened, setOpened] = useState<Alert | null>(null)
  const refresh = useRefresh()
  const mark = api.useMutation('post', '/api/casework/v1/alerts/read', {
    onSuccess: () => refresh('/api/casework/v1/alerts'),
  })
  const nameOf = (id: string): string => watchlists.data?.find((one) => one.id === id)?.name ?? 'a deleted watchlist'

  const shown = alerts.data?.pages.flatMap(({ items }) => items) ?? []
  const count = alerts.data?.pages[0]?.unread ?? 0
  const newest = newestOf(shown)

  function keep(): void {
    const name = `harrier-alerts-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.csv`
    download(name, csv(EXPORT_COLUMNS, exportRows(shown, nameOf)))
  }

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="State"
            size="xs"
            value={state}
            onChange={(to) => setState(to === ANY ? '' : to)}
            data={[
              { value: ANY, label: 'All' },
              ...STATES.map((value) => ({ value, label: STATE_WORDS[value].label })),
            ]}
          />
          <Checkbox
            label="Unread only"
            checked={unread}
            onChange={(event) => setUnread(event.currentTarget.checked ? 'yes' : '')}
          />
        </Group>
        <Group gap="xs">
          {/* Up to the newest that is shown: of those in one state that would not be all. */}
          {state === ANY && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconChecks size={14} aria-hidden />}
              disabled={count === 0 || newest === null}
              loading={mark.isPending}
              onClick={() => newest !== null && mark.mutate({ body: { read_until: newest } })}
            >
              Mark all as read
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            disabled={shown.length === 0}
            aria-label={`CSV of the ${shown.length} shown`}
            onClick={keep}
          >
            CSV
          </Button>
        </Group>
      </Group>
      {mark.error && <ErrorAlert error={mark.error} />}
      <QueryResult of={alerts}>
        {() => (
          <>
            <Text size="sm" c="dimmed" role="status" data-testid="shown">
              {formatCount(shown.length)} shown, {formatCount(count)} unread{state !== ANY && ' in all states'}.
            </Text>
            {shown.length === 0 ? (
              <Nothing narrowed={state !== ANY || unread} watches={watchlists.data?.length !== 0} />
            ) : (
              <AlertTable alerts={shown} nameOf={nameOf} open={setOpened} />
            )}
            {alerts.hasNextPage && (
              <Button
                variant="default"
                size="sm"
                w="fit-content"
                loading={alerts.isFetchingNextPage}
                onClick={() => void alerts.fetchNextPage()}
              >
                Show older alerts
              </Button>
            )}
          </>
        )}
      </QueryResult>
      {opened !== null && (
        <AlertDialog alert={opened} watchlist={nameOf(opened.watchlistID)} close={() => setOpened(null)} />
      )}
    </Stack>
  )
}

function Nothing({ narrowed, watches }: { narrowed: boolean; watches: boolean }) {
  if (narrowed)
    return (
      <EmptyState title="No alert fits the filters">
        <Button size="compact-sm" variant="default" component={Link} href="/alerts">
          Show all alerts
        </Button>
      </EmptyState>
    )
  return (
    <EmptyState title="No alerts yet">
      {watches
        ? 'You get an alert when an entity enters one of your watchlists. '
        : 'Create a watchlist first and add an address, a network, a tag or a name to it, or use the button Watch on the page of an entity. '}
      <Anchor component={Link} href="/alerts/watchlists" inherit underline="always">
        {watches ? 'See your watchlists' : 'Create a watchlist'}
      </Anchor>
    </EmptyState>
  )
}
