import { api } from '../../../api/client.ts'
import type { Evidence, Verdict } from '../answers.ts'

/** What stands above the claims of an entity. */
export type Standing = {
  /** Every report that the caller may read was taken back. */
  retracted: boolean
  /** What the team of the caller decided, while that holds. */
  verdict: Verdict | null
  /** What the verdict follows from now; null while it loads. */
  evidence: Evidence | null
}

/** The questions are those of the tab "evidence" and of the networks around an address: one answer for each. */
export function useStanding(id: string): Standing {
  const entity = api.useQuery('get', '/api/search/v1/entity/{id}', { params: { path: { id } } })
  const path = '/api/search/v1/entity/{id}/evidence'
  const evidence = api.useQuery('get', path, { params: { path: { id }, query: {} } })
  return {
    retracted: entity.data?.retracted === true,
    verdict: evidence.data?.verdict ?? null,
    evidence: evidence.data ?? null,
  }
}
