import { api } from '../../../api/client.ts'
import { recordsQuery } from '../history/records.ts'
import { Fact } from './Fact.tsx'

/** The number of kept reports and sightings of the entity; empty while it loads. */
export function ReportCount({ id }: { id: string }) {
  const result = api.useQuery(
    'post',
    '/api/search/v1/entities/history/advanced',
    recordsQuery(id, { page: 1, limit: 0 }),
  )
  if (result.data === undefined) return null
  return (
    <Fact name="Reports and sightings">
      <span data-testid="records">{result.data.items.toLocaleString('en')}</span>
    </Fact>
  )
}
