import { Button, Code, CopyButton, Group } from '@mantine/core'

/** A value that people carry elsewhere, with a button that copies it. `what` names it to screen readers. */
export function Copyable({ value, what }: { value: string; what: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code className="value">{value}</Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
            style={{ flexShrink: 0 }}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
