import { Button, Code, CopyButton, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Json } from '../question/json.ts'

/** The JSON that the builder sends, as it grows. */
export function SentBody({ body }: { body: Json }) {
  const text = useMemo(() => JSON.stringify(body, null, 2), [body])
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          Request body
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="subtle" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <ScrollArea.Autosize mah={420} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Request body' }}>
        <Code block data-testid="sent">
          {text}
        </Code>
      </ScrollArea.Autosize>
    </Stack>
  )
}
