import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSend } from '../form/useSend.ts'
import { ErrorAlert } from './ErrorAlert.tsx'

type Props = {
  /** The question: `Delete the key pair "laptop"?` */
  title: string
  /** The effect of the action, and whether it can be undone. */
  children: ReactNode
  /** The verb, on the button that does it. */
  action: string
  /** A word that the user has to type first, for actions that cannot be undone. */
  typed?: string
  /** Whether the action loses data. */
  harmful?: boolean
  /** The action. The dialog shows the error that it rejects with, and closes when it resolves. */
  run: () => Promise<unknown>
  close: () => void
}

/** A confirmation dialog. Mount it to open it. */
export function Confirm({ title, children, action, typed, harmful = true, run, close }: Props) {
  const [text, setText] = useState('')
  const { error, sending, send } = useSend()
  const ready = typed === undefined || text.trim() === typed

  async function confirm(): Promise<void> {
    await run()
    close()
  }

  return (
    <Modal
      opened
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void send(confirm)
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <b className="value">{typed}</b> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              maxLength={300}
              data-autofocus
            />
          )}
          {error !== null && <ErrorAlert error={error} />}
          <Group justify="end" gap="sm">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" {...(harmful ? { color: 'red' } : {})} disabled={!ready} loading={sending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
