import { Button, Code, CopyButton, Group, Stack, Title } from '@mantine/core'

/** Longest text that is shown; the copy has all of it. */
const MAX_SHOWN = 20_000

/** A value as JSON to read and to copy. */
export function Json({ title, of, rows = 420 }: { title: string; of: unknown; rows?: number }) {
  const text = JSON.stringify(of, null, 2)
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy JSON'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={title}
        data-testid="json"
        style={{ maxHeight: rows, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text}
      </Code>
    </Stack>
  )
}
