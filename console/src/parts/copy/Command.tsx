import { Button, Code, CopyButton, Group } from '@mantine/core'

/** A command line to copy. */
export function Command({ line }: { line: string }) {
  return (
    <Group gap="xs" align="center">
      <Code block flex="1 1 200px" miw={0} p="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {line}
      </Code>
      <CopyButton value={line}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy} aria-label={`Copy ${line}`}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
