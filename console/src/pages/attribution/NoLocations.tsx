import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import type { Which } from './dimensions.ts'

/** No address or network has a place. */
export function NoLocations({ which: { malicious, since } }: { which: Which }) {
  if (since !== null)
    return (
      <EmptyState title={`No such address or network with a known location was seen since ${since}`}>
        <Anchor component={Link} underline="always" href={`/attribution${malicious ? '' : '?scope=all'}`} size="sm">
          Show those of any time
        </Anchor>
      </EmptyState>
    )
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
