import { api } from '../../../api/client.ts'
import { formatCount } from '../../../parts/format/numbers.ts'
import { recordsQuery } from '../history/records.ts'
import { COUNTED, reportCount } from '../history/report-count.ts'
import { Fact } from './Fact.tsx'

/** The number of kept reports and sightings of the entity, verdicts and matches left out; empty while it loads. */
export function ReportCount({ id }: { id: string }) {
  const { params, body } = recordsQuery(id, { page: 1, limit: COUNTED })
  const source = { includes: ['verdict', 'match', 'retracted'] }
  const result = api.useQuery('post', '/api/search/v1/entities/history/advanced', { params, body: { ...body, source } })
  if (result.data === undefined) return null
  const { reports, retracted } = reportCount(result.data.items, result.data.results)
  return (
    <Fact name="Reports and sightings">
      <span data-testid="records">{formatCount(reports)}</span>
      {retracted > 0 && `, ${formatCount(retracted)} of them retracted`}
    </Fact>
  )
}
