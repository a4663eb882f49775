import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import type { Block } from './block.ts'

/** A block of text with a button that copies it. */
export function CopiedBlock({ block: { where, text } }: { block: Block }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {where}
        </Text>
        {/* cron refuses a file whose last line does not end. */}
        <CopyButton value={`${text}\n`}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="default"
              onClick={copy}
              aria-label={`Copy the block for ${where}`}
              style={{ flexShrink: 0 }}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        tabIndex={0}
        role="region"
        aria-label={where}
      >
        {text}
      </Code>
    </Stack>
  )
}
