import { Button, List, Stack, Text } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'

/** The error of a search, with advice on how to change the search. */
export function SearchError({ error, again }: { error: unknown; again: () => void }) {
  const { code, retryAfter, errorId } = asProblem(error)
  if (code === 'busy')
    return (
      <RetryNotice title="Too many searches at once" again={again} errorId={errorId}>
        <Text size="sm">
          The platform runs only a few searches at a time, and its queue is full. Your search is valid. Try again in{' '}
          {retryAfter ?? 1} s.
        </Text>
      </RetryNotice>
    )
  if (code === 'query_timeout' || code === 'query_too_expensive')
    return (
      <RetryNotice title="The search exceeded its limits" again={again} errorId={errorId}>
        <Text size="sm">
          The search needed more time or memory than one search may use. Partial results are not shown because they
          could be mistaken for complete ones. To make the search cheaper, use:
        </Text>
        <List size="sm">
          <List.Item>a date range, such as lastSeen from now-7d</List.Item>
          <List.Item>a type, a tag or another exact value</List.Item>
          <List.Item>patterns that do not start with *</List.Item>
          <List.Item>fewer nested aggregations, or wider intervals</List.Item>
        </List>
      </RetryNotice>
    )
  return <ErrorAlert error={error} again={again} />
}

function RetryNotice(given: { title: string; again: () => void; errorId: string | null; children: ReactNode }) {
  return (
    <Notice icon={<IconHourglass aria-hidden />} title={given.title} role="alert">
      <Stack gap="xs" align="start">
        {given.children}
        <Button size="xs" variant="default" onClick={given.again}>
          Try again
        </Button>
        {given.errorId && <Text size="xs">Error id {given.errorId}</Text>}
      </Stack>
    </Notice>
  )
}
