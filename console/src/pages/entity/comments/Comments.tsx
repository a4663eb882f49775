import { Anchor, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { useCaller, useMay, useSignedIn } from '../../../session/caller.ts'
import { pageOf, useAddress } from '../address.ts'
import type { Comment } from '../answers.ts'
import { CommentForm } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'

const ROWS = 20

/** The comments on the entity, newest first. Calls `added` after a new comment. */
export function Comments({ id, added }: { id: string; added: () => void }) {
  const [params, say] = useAddress()
  const page = pageOf(params)
  const [answered, setAnswered] = useState<Comment | null>(null)
  const caller = useCaller()
  const mayWrite = useMay('reporter')
  const result = api.useQuery(
    'get',
    '/api/search/v1/comments/{entityId}',
    { params: { path: { entityId: id }, query: { page, limit: ROWS } } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="md" component="section" aria-labelledby="comments">
      <Title order={2} size="h4" id="comments">
        Comments
      </Title>
      {caller && mayWrite ? (
        <CommentForm
          key={answered?.id ?? 'new'}
          id={id}
          groups={caller.groups}
          parent={answered}
          stop={() => setAnswered(null)}
          added={() => {
            setAnswered(null)
            say({ page: null })
            added()
          }}
        />
      ) : (
        <WhyNot />
      )}
      <QueryResult of={result}>
        {({ results, items, pages }) =>
          items === 0 ? (
            <EmptyState title="No comments yet">
              {mayWrite ? 'Write the first one above.' : 'There are no comments that you may read.'}
            </EmptyState>
          ) : (
            <>
              <Stack gap="sm" component="ul" p={0} m={0} aria-label="Comments" style={{ listStyle: 'none' }}>
                {results.map((comment) => (
                  <CommentItem
                    key={comment.id}
                    comment={comment}
                    parent={results.find((other) => other.id === comment.parentID)}
                    answer={mayWrite ? () => setAnswered(comment) : null}
                  />
                ))}
              </Stack>
              <Pager page={page} pages={pages} items={items} change={(to) => say({ page: to === 1 ? null : to })} />
            </>
          )
        }
      </QueryResult>
    </Stack>
  )
}

function WhyNot() {
  const signedIn = useSignedIn()
  if (signedIn)
    return (
      <Text size="sm" c="dimmed">
        To write comments, you need the role reporter, which an administrator can assign.
      </Text>
    )
  return (
    <Text size="sm">
      <Anchor component={Link} href="/sign-in" size="sm" underline="always">
        Sign in
      </Anchor>{' '}
      to write comments and to read the comments of your groups.
    </Text>
  )
}
