import { useQueryClient } from '@tanstack/react-query'

/** After a change of the team: groups, limits and quotas may be others, so everything is asked again. */
export function useTeamChange(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}
