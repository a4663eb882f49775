import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { ReporterName } from '../../../parts/entity/ReporterName.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'
import type { Comment } from '../answers.ts'

const EXCERPT = 80

type Props = {
  comment: Comment
  /** The parent comment, if it is on the same page. */
  parent: Comment | undefined
  /** Begins an answer; null: the caller may not. */
  answer: (() => void) | null
}

/** One comment: plain text, whatever it looks like. */
export function CommentItem({ comment, parent, answer }: Props) {
  const caller = useCaller()
  return (
    <Paper withBorder p="sm" component="li" data-testid="comment">
      <Group gap="xs" mb={4}>
        <ReporterName of={comment.reporter} fw={600} />
        <Text size="xs" c="dimmed">
          <RelativeTime at={comment['@timestamp']} />
        </Text>
        {comment.visibleBy.map((group) => (
          <Badge key={group} size="sm" variant="default" tt="none" fw={500}>
            {groupName(group, caller)}
          </Badge>
        ))}
      </Group>
      {comment.parentID !== null && (
        <Text size="xs" c="dimmed" truncate>
          in reply to {parent ? `“${parent.comment.slice(0, EXCERPT)}”` : 'an earlier comment'}
        </Text>
      )}
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {comment.comment}
      </Text>
      {answer && (
        <Button size="compact-xs" variant="subtle" onClick={answer} mt={4}>
          Reply
        </Button>
      )}
    </Paper>
  )
}
