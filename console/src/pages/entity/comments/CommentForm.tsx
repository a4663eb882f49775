import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { commentText, MAX_COMMENT } from '../../../../../schemas/intelligence/comment-text.ts'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import type { Comment } from '../answers.ts'
import { GroupsInput } from '../GroupsInput.tsx'
import { defaultAudience, groupsWithin } from '../groups.ts'

type Props = {
  id: string
  groups: readonly string[]
  /** The comment that this one answers. */
  parent: Comment | null
  stop: () => void
  added: () => void
}

/** Writes a comment, or an answer to one. */
export function CommentForm({ id, groups, parent, stop, added }: Props) {
  const offered = groupsWithin(groups, parent?.visibleBy ?? null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(() => defaultAudience(offered))
  const add = api.useMutation('post', '/api/ingest/v1/comment')
  const long = [...text].length > MAX_COMMENT
  const send = () =>
    add.mutate(
      { body: { entityID: id, comment: text, visibleBy: chosen, ...(parent ? { parentID: parent.id } : {}) } },
      {
        onSuccess: () => {
          setText('')
          added()
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="xs" maw={720}>
        {parent && (
          <Group gap="xs">
            <Text size="sm" truncate>
              Reply to “{parent.comment.slice(0, 80)}”
            </Text>
            <Button size="compact-xs" variant="default" onClick={stop}>
              Cancel the reply
            </Button>
          </Group>
        )}
        <Textarea
          label={parent ? 'Your reply' : 'Your comment'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={2 * MAX_COMMENT}
          error={long ? `At most ${MAX_COMMENT.toLocaleString('en')} characters` : undefined}
        />
        <Group align="end" gap="sm">
          <GroupsInput groups={offered} chosen={chosen} choose={setChosen} />
          <Button type="submit" loading={add.isPending} disabled={chosen.length === 0 || commentText(text) === null}>
            {parent ? 'Reply' : 'Comment'}
          </Button>
        </Group>
        {add.error !== null && <ErrorAlert error={add.error} />}
      </Stack>
    </form>
  )
}
