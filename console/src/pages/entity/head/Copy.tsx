import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

type Props = {
  text: string
  label: string
  /** Words on the button; without them it is an icon. */
  words?: string
}

/** Puts a text on the clipboard and says so. */
export function Copy({ text, label, words }: Props) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => {
        const icon = copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
        if (words !== undefined)
          return (
            <Button size="compact-sm" variant="default" leftSection={icon} onClick={copy}>
              {copied ? 'Copied' : words}
            </Button>
          )
        return (
          <Tooltip label={copied ? 'Copied' : label}>
            <ActionIcon variant="subtle" size="sm" onClick={copy} aria-label={copied ? 'Copied' : label}>
              {icon}
            </ActionIcon>
          </Tooltip>
        )
      }}
    </CopyButton>
  )
}
