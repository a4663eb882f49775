import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { formatCount } from '../../../parts/format/numbers.ts'
import { formatAgo } from '../../../parts/time/RelativeTime.tsx'
import type { Details } from '../answers.ts'
import { Fact } from '../head/Fact.tsx'
import { seenQuery } from './seen.ts'
import { useMaySee } from './useMaySee.ts'

/** Of an entity that the caller's telemetry saw: how often, as a link to where. Of others nothing. */
export function SeenFact({ entity }: { entity: Details }) {
  const may = useMaySee(entity.type)
  const { data } = api.useQuery('get', '/api/match/v1/seen', seenQuery(entity, 1), { enabled: may, retry: false })
  if (!may || data === undefined || data.count === 0 || data.last === null) return null
  return (
    <Fact name="Seen here">
      <Anchor component={Link} href={`/entity/${entity.id}?tab=seen`} size="sm" underline="always">
        {data.count === 1 ? 'once' : `${formatCount(data.count)} times`}, {formatAgo(data.last)}
      </Anchor>
    </Fact>
  )
}
