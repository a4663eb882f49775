import { Anchor, List } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import { useMay } from '../../../session/caller.ts'

/** A guard looks at what is retracted within seconds. */
const REFRESH_MS = 2_000

/** The feeds of the caller that are held now: they still list what was taken back. */
export function HeldFeeds() {
  const enabled = useMay('user')
  const { data } = api.useQuery('get', '/api/feeds/v1/feeds', {}, { enabled, refetchInterval: REFRESH_MS })
  const held = data?.items.filter(({ state }) => state === 'held') ?? []
  if (held.length === 0) return null
  return (
    <Notice title={held.length === 1 ? 'A feed is held' : `${held.length} feeds are held`} data-testid="held-feeds">
      A held feed keeps its list until it is released:
      <List size="sm">
        {held.map(({ id, name, held: sizes }) => (
          <List.Item key={id}>
            <Anchor component={Link} href={`/feeds?id=${id}`} size="sm" underline="always">
              {name}
            </Anchor>
            {sizes && `: ${formatCount(sizes.now)} items, ${formatCount(sizes.would)} when it is released`}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
