import { EmptyState } from '../feedback/EmptyState.tsx'

/** The message for a caller that is not in all groups of the settings. The platform does not say which one is missing. */
export function NotAReader() {
  return (
    <EmptyState title="You may not read the matches of your team">
      The settings of matching name groups. Only a member of all of these groups reads the matches. Ask a colleague who
      changed the settings to choose groups that you are in.
    </EmptyState>
  )
}
