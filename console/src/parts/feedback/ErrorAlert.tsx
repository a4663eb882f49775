import { Alert, Anchor, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { asProblem, type Problem } from '../../api/problem.ts'
import { useSignInLink } from '../../session/sign-in-link.ts'
import { formatDuration } from '../time/duration.ts'
import { useNow } from '../time/useNow.ts'

type Props = {
  error: unknown
  again?: () => void
  /** A more precise explanation of the page; it replaces title, message and error id. */
  explanation?: { title: string; text: string } | undefined
}

/** An error: its cause, a remedy, and the id under which operators find it in the log. */
export function ErrorAlert({ error, again, explanation }: Props) {
  const problem = asProblem(error)
  const signInLink = useSignInLink()
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title={explanation?.title ?? titleOf(problem)}
      role="alert"
    >
      <Stack gap="xs" align="start">
        <Text size="sm">{explanation?.text ?? sentence(problem.message)}</Text>
        {problem.status === 429 && <Limited key={problem.errorId} problem={problem} />}
        <Group gap="sm">
          {again && problem.status !== 403 && (
            <Button size="xs" variant="default" onClick={again}>
              Try again
            </Button>
          )}
          {problem.status === 401 && explanation === undefined && (
            <Button size="xs" component={Link} href={signInLink}>
              Sign in
            </Button>
          )}
        </Group>
        {problem.errorId && (explanation === undefined || problem.status >= 500) && <ErrorId id={problem.errorId} />}
      </Stack>
    </Alert>
  )
}

/** When it makes sense to try again, and where the limits stand. */
function Limited({ problem: { retryAfter, code } }: { problem: Problem }) {
  const now = useNow()
  const [until] = useState(() => Date.now() + (retryAfter ?? 0) * 1_000)
  const waits = retryAfter !== null && code !== 'feature_disabled'
  return (
    <Text size="sm">
      {waits && (until > now ? `Try again in ${formatDuration(until - now)}. ` : 'You can try again now. ')}
      <Anchor component={Link} href="/account/limits" inherit underline="always">
        See your limits
      </Anchor>
    </Text>
  )
}

function ErrorId({ id }: { id: string }) {
  return (
    <Group gap="xs">
      <Text size="xs">
        Error id <Code data-testid="error-id">{id}</Code>
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="subtle" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function titleOf({ status, code }: Problem): string {
  if (status === 0) return 'No response'
  if (status === 401) return 'You are not signed in'
  if (status === 403) return 'Not allowed'
  if (status === 404) return 'Not found'
  if (code === 'feature_disabled') return 'Not part of your plan'
  if (status === 429) return 'Too many requests'
  if (status >= 500) return 'Server error'
  return 'Request refused'
}
