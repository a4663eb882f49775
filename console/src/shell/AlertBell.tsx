import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from 'wouter'
import { api } from '../api/client.ts'

const EVERY_MS = 30_000
const MOST = 99

/** The way to the inbox, with the number of unread alerts. Loaded for members of a team alone. */
export default function AlertBell() {
  const { data } = api.useQuery(
    'get',
    '/api/casework/v1/alerts',
    { params: { query: { limit: 1 } } },
    { refetchInterval: EVERY_MS, retry: false },
  )
  const unread = data?.unread ?? 0
  return (
    <Indicator
      disabled={unread === 0}
      label={unread > MOST ? `${MOST}+` : unread}
      size={16}
      color="red.9"
      offset={4}
      zIndex={1}
      display="flex"
      data-testid="bell"
    >
      <ActionIcon
        component={Link}
        href="/alerts"
        variant="default"
        size="lg"
        aria-label={unread === 0 ? 'Alerts, none unread' : `Alerts, ${unread} unread`}
      >
        <IconBell size={20} aria-hidden />
      </ActionIcon>
    </Indicator>
  )
}
