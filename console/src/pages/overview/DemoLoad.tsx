import { Button, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../api/client.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { formatCount } from '../../parts/format/numbers.ts'

const EVERY_MS = 1_000

/**
 * The demonstration corpus, for administrators: its progress, or a button that loads it.
 * The figures of the page are fetched again once all of the corpus is loaded.
 */
export function DemoLoad({ offered }: { offered: boolean }) {
  const queries = useQueryClient()
  const demo = api.useQuery(
    'get',
    '/api/admin/v1/demo',
    {},
    { staleTime: 0, refetchInterval: ({ state }) => (state.data?.state === 'loading' ? EVERY_MS : false) },
  )
  const begin = api.useMutation('post', '/api/admin/v1/demo', { onSuccess: () => void demo.refetch() })
  const state = demo.data?.state
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'loading' && state === 'loaded') void queries.invalidateQueries()
    before.current = state
  }, [state, queries])
  if (demo.data?.state === 'loading') {
    const { loaded, total } = demo.data
    const part = total === 0 ? 0 : Math.floor((100 * loaded) / total)
    return (
      <Stack gap={4} data-testid="demo-progress">
        <Progress.Root size="lg">
          <Progress.Section value={part} aria-label="Demonstration data" />
        </Progress.Root>
        <Text size="sm" role="status">
          {total === 0
            ? 'The demonstration data is being generated.'
            : `Demonstration data: ${formatCount(loaded)} of ${formatCount(total)} reports (${part} %).`}
        </Text>
      </Stack>
    )
  }
  if (begin.error) return <ErrorAlert error={begin.error} again={() => begin.mutate({})} />
  if (!offered || state !== 'none') return null
  return (
    <Button onClick={() => begin.mutate({})} loading={begin.isPending} size="sm">
      Load it now
    </Button>
  )
}
