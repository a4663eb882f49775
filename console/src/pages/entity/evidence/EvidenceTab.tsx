import { Stack, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useAddress } from '../address.ts'
import { AsOf } from './AsOf.tsx'
import { Claims } from './Claims.tsx'
import { ScoreFormula } from './ScoreFormula.tsx'
import { ScoreHistory } from './ScoreHistory.tsx'

/** The evidence of the score: its course, and the claims now or at the moment in the URL (`?at=`). */
export function EvidenceTab({ id }: { id: string }) {
  const [params, say] = useAddress()
  const at = params.get('at')
  const evidence = api.useQuery(
    'get',
    '/api/search/v1/entity/{id}/evidence',
    { params: { path: { id }, query: at === null ? {} : { at } } },
    { placeholderData: keepPreviousData },
  )
  const choose = (moment: string | null) => say({ at: moment })
  return (
    <Stack gap="lg">
      <ScoreHistory id={id} at={at} choose={choose} />
      <Stack
        gap="sm"
        component="section"
        aria-labelledby="claims"
        data-testid="evidence"
        aria-busy={evidence.isFetching}
      >
        <Title order={2} size="h4" id="claims">
          Claims behind the score
        </Title>
        <AsOf at={at} choose={choose} />
        <QueryResult of={evidence.error === null ? evidence : { ...evidence, data: undefined }}>
          {(entityEvidence) => (
            <>
              <ScoreFormula evidence={entityEvidence} />
              <Claims key={entityEvidence.at} claims={entityEvidence.claims} items={entityEvidence.items} />
            </>
          )}
        </QueryResult>
      </Stack>
    </Stack>
  )
}
