import { useQueryClient } from '@tanstack/react-query'

/** A change of the team can change groups, limits and quotas, so every query is fetched again. */
export function useTeamChange(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}
