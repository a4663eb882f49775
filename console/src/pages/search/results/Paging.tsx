import { Button, Group, Select, Text } from '@mantine/core'
import { Pager } from '../../../parts/tables/Pager.tsx'
import type { Go } from '../question/address.ts'
import { LIMITS } from '../question/address.ts'
import type { SearchAnswer, SearchRequest } from '../question/request.ts'

/** Pages reach so many records; behind them a search goes on from its last result. */
const REACH = 1_000_000

/** Pages of results, how long they are, and the way on where pages end. */
export function Paging({ answer, question: request, go }: { answer: SearchAnswer; question: SearchRequest; go: Go }) {
  const { items, results } = answer
  const { page, limit, route, after } = request
  const reachable = Math.min(answer.pages, Math.floor(REACH / limit))
  const last = results.at(-1)
  const atEnd = after !== null ? results.length === limit : page === reachable && answer.pages > reachable
  const goOn = () => go({ after: JSON.stringify(last!.sort), page: 1 })
  return (
    <Group justify="space-between" gap="xs">
      {after === null ? (
        <Pager page={page} pages={reachable} items={items} change={(to) => go({ page: to })} />
      ) : (
        <Group gap="xs">
          <Text size="sm" data-testid="behind">
            {results.length.toLocaleString('en')} results after the last result of the previous page.
          </Text>
          <Button size="xs" variant="default" onClick={() => go({ after: null })}>
            Back to the first page
          </Button>
        </Group>
      )}
      <Group gap="xs">
        {atEnd && route === 'advanced' && last !== undefined && (
          <Button size="xs" variant="default" onClick={goOn}>
            Continue after the last result
          </Button>
        )}
        {atEnd && route === 'simple' && (
          <Text size="sm">Pages end at {REACH.toLocaleString('en')} records. Use the advanced search to see more.</Text>
        )}
        <Select
          size="xs"
          w={120}
          aria-label="Results per page"
          allowDeselect={false}
          data={LIMITS.map((one) => ({ value: String(one), label: `${one} per page` }))}
          value={String(limit)}
          onChange={(to) => go({ limit: Number(to) })}
        />
      </Group>
    </Group>
  )
}
