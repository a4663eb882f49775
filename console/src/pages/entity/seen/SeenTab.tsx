import { Stack } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { NotAReader } from '../../../parts/match/NotAReader.tsx'
import { isUnreadable } from '../../../parts/match/unreadable.ts'
import type { Details } from '../answers.ts'
import { EntityMatches } from './EntityMatches.tsx'
import { SeenCard } from './SeenCard.tsx'
import { seenQuery } from './seen.ts'

/** Rows that are asked for at most; the totals count all. */
const ROWS = 1_000

/** Where the caller's telemetry saw the entity, and the matches with it. */
export function SeenTab({ entity }: { entity: Details }) {
  const seen = api.useQuery('get', '/api/match/v1/seen', seenQuery(entity, ROWS))
  if (isUnreadable(seen.error)) return <NotAReader />
  return (
    <Stack gap="lg" data-testid="seen">
      <QueryResult of={seen}>
        {(answer) =>
          answer.count === 0 ? (
            <EmptyState title="Not seen here">The telemetry that is kept has no event with this value.</EmptyState>
          ) : (
            <SeenCard seen={answer} />
          )
        }
      </QueryResult>
      <EntityMatches id={entity.id} />
    </Stack>
  )
}
