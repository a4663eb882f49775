import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { asProblem } from '../api/problem.ts'

/** What went wrong, what can be done about it, and the id under which operators find it. */
export function Refused({ error, again }: { error: unknown; again?: () => void }) {
  const problem = asProblem(error)
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title={titleOf(problem.status)}
      role="alert"
    >
      <Stack gap="xs" align="start">
        <Text size="sm">{sentence(problem.message)}</Text>
        {problem.retryAfter !== null && <Text size="sm">Try again in {problem.retryAfter} s.</Text>}
        <Group gap="sm">
          {again && problem.status !== 403 && (
            <Button size="xs" variant="default" onClick={again}>
              Try again
            </Button>
          )}
          {problem.status === 401 && (
            <Button size="xs" component={Link} href="/sign-in">
              Sign in
            </Button>
          )}
        </Group>
        {problem.errorId && (
          <Group gap="xs">
            <Text size="xs">
              Error id <Code data-testid="error-id">{problem.errorId}</Code>
            </Text>
            <CopyButton value={problem.errorId}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="subtle" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function titleOf(status: number): string {
  if (status === 0) return 'No answer'
  if (status === 401) return 'Please sign in'
  if (status === 403) return 'Not allowed'
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many requests'
  if (status >= 500) return 'The platform has failed'
  return 'Refused'
}
