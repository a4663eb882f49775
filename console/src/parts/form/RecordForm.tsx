import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  title: string
  name: string
  /** What is wrong with the name. */
  fault?: string | undefined
  setName: (to: string) => void
  children: ReactNode
  /** Why the form was refused, if no field says it. */
  problem: ReactNode
  /** The word on the button. */
  verb: string
  /** Whether the fields besides the name suffice; default: yes. */
  ready?: boolean
  sending: boolean
  submit: () => void
  cancel: () => void
}

/** The frame of a form that makes or changes a record with a name: the name first, the buttons last. */
export function RecordForm(props: Props) {
  const { title, name, fault, setName, children, problem, verb, ready = true, sending, submit, cancel } = props
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          <TextInput
            ref={first}
            label="Name"
            required
            maxLength={200}
            value={name}
            error={fault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {children}
          {problem}
          <Group gap="sm">
            <Button type="submit" loading={sending} disabled={name.trim() === '' || !ready}>
              {verb}
            </Button>
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
