import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'

/** No address or network has a place. */
export function NoLocations({ malicious }: { malicious: boolean }) {
  if (malicious)
    return (
      <EmptyState title="No malicious address or network has a known location">
        <Anchor component={Link} underline="always" href="/attribution?scope=all" size="sm">
          Show all addresses and networks
        </Anchor>
      </EmptyState>
    )
  return (
    <EmptyState title="No address or network has a known location">
      Locations come from reports of the types ip and cidr. The{' '}
      <Anchor component={Link} underline="always" href="/" size="sm">
        overview
      </Anchor>{' '}
      shows which entities there are.
    </EmptyState>
  )
}
