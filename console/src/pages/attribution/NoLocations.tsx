import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { Nothing } from '../../parts/feedback/EmptyState.tsx'

/** No address or network has a place. */
export function NothingLocated({ malicious }: { malicious: boolean }) {
  if (malicious)
    return (
      <Nothing title="No malicious address or network has a known place">
        <Anchor component={Link} underline="always" href="/attribution?scope=all" size="sm">
          Look at all addresses and networks
        </Anchor>
      </Nothing>
    )
  return (
    <Nothing title="No address or network has a known place">
      Places follow from reports of the types ip and cidr. The{' '}
      <Anchor component={Link} underline="always" href="/" size="sm">
        overview
      </Anchor>{' '}
      tells what there is.
    </Nothing>
  )
}
