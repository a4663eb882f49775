import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'

/** The message when entities exist, but none was seen in the window. */
export function NoRecentEntities({ days }: { days: number }) {
  return (
    <EmptyState title={`No entities were seen in the last ${days} days`}>
      {days < 90 && (
        <>
          <Anchor component={Link} underline="always" href="/?days=90" size="sm">
            Show 90 days
          </Anchor>
          , or{' '}
        </>
      )}
      <Anchor component={Link} underline="always" href="/search" size="sm">
        search all entities
      </Anchor>
      .
    </EmptyState>
  )
}
