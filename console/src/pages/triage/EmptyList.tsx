import { Anchor, Button } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import type { Work } from './handling/states.ts'
import type { TriageFilters } from './useFilters.ts'

/** The message for an empty list: the page's filters, the platform's filters, or an empty platform is the reason. */
export function EmptyList({ narrowed, filters }: { narrowed: boolean; filters: TriageFilters }) {
  if (narrowed)
    return (
      <EmptyState title="No loaded entity matches the filters">
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          href={`/triage?hours=${filters.hours}&scope=${filters.scope}`}
        >
          Clear type, accuracy, tag and text
        </Button>
      </EmptyState>
    )
  const wider = filters.scope === 'malicious' || filters.hours !== '720'
  return (
    <EmptyState title={filters.scope === 'malicious' ? 'No malicious entities were seen' : 'No entities were seen'}>
      {wider ? (
        <Anchor component={Link} underline="always" href="/triage?hours=720&scope=all" size="sm">
          Show all entities of the last 30 days
        </Anchor>
      ) : (
        <>
          The{' '}
          <Anchor component={Link} underline="always" href="/" size="sm">
            overview
          </Anchor>{' '}
          shows which entities there are.
        </>
      )}
    </EmptyState>
  )
}

const NOTHING: Readonly<Record<Work, string>> = {
  open: 'Nothing is open: all of these entities are handled',
  mine: 'Nothing is assigned to you',
  handled: 'Nothing is handled yet',
  all: 'Nothing is listed',
}

/** The message where entities were seen, but none for this part of the work. */
export function NothingHere({ view, show }: { view: Work; show: () => void }) {
  return (
    <EmptyState title={NOTHING[view]}>
      <Button size="compact-sm" variant="default" onClick={show}>
        Show all
      </Button>
    </EmptyState>
  )
}
