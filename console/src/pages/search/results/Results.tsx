import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { useSignedIn } from '../../../session/caller.ts'
import { Aggregations } from '../aggregations/Aggregations.tsx'
import { readAggregations } from '../aggregations/results.ts'
import type { Go, SearchAddress } from '../question/address.ts'
import { sortFieldFor } from '../question/fields.ts'
import type { Json } from '../question/json.ts'
import type { SearchAnswer, SearchRequest } from '../question/request.ts'
import { Exports } from './Exports.tsx'
import { Paging } from './Paging.tsx'
import { ResultTable } from './ResultTable.tsx'
import { rowOf } from './rows.ts'
import { SearchError } from './SearchError.tsx'
import { SortBy } from './SortBy.tsx'

type Props = {
  request: SearchRequest
  answer: UseQueryResult<SearchAnswer>
  address: SearchAddress
  go: Go
  /** Adds a clause to the search; absent where there is none to add to. */
  add?: (...clauses: Json[]) => void
}

/** The results of a search: their number, order, pages and aggregations. */
export function Results({ request: question, answer, address, go, add }: Props) {
  if (answer.error) return <SearchError error={answer.error} again={() => void answer.refetch()} />
  if (!answer.data) return <Loading lines={8} />
  const { items, results, aggregations, ms } = answer.data
  const rows = results.map(rowOf)
  const [one, many] = address.index === 'history' ? ['report', 'reports'] : ['entity', 'entities']
  return (
    <Stack gap="sm" aria-busy={answer.isPlaceholderData} style={{ opacity: answer.isPlaceholderData ? 0.6 : 1 }}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <Title order={2} size="h4" data-testid="found">
            {items.toLocaleString('en')} {items === 1 ? one : many}
          </Title>
          <Text size="sm" c="dimmed" data-testid="took">
            in {ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`}
          </Text>
        </Group>
        {items > 0 && (
          <Group gap="xs" align="end">
            <SortBy address={address} go={go} />
            <Exports rows={rows} records={results} of={items} />
          </Group>
        )}
      </Group>
      {items === 0 ? (
        <NoResults address={address} go={go} />
      ) : (
        <>
          {aggregations !== null && <Aggregations of={readAggregations(question.body, aggregations)} add={add} />}
          <ResultTable rows={rows} address={address} go={go} />
          <Paging answer={answer.data} question={question} go={go} />
        </>
      )}
    </Stack>
  )
}

function NoResults({ address, go }: { address: SearchAddress; go: Go }) {
  const signedIn = useSignedIn()
  const elsewhere = address.index === 'history' ? 'entities' : 'history'
  return (
    <EmptyState title="No results">
      <Stack gap="xs" align="center">
        <Text size="sm">
          {signedIn
            ? 'No record that you may read matches the search.'
            : 'No public record matches the search. Sign in to include the records of your groups.'}
        </Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => go({ index: elsewhere, sort: sortFieldFor(elsewhere, address.sort) })}
        >
          Search {elsewhere === 'history' ? 'history' : 'current entities'} instead
        </Button>
      </Stack>
    </EmptyState>
  )
}
