import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { ErrorAlert } from '../feedback/ErrorAlert.tsx'
import { formatDuration } from '../time/duration.ts'
import { useNow } from '../time/useNow.ts'
import { explainCodeFault } from './code-fault.ts'

type Props = {
  email: string
  /** Of the answer that said that a code was sent. */
  verificationCodeID: string
  /** Unix seconds. */
  expireAt: number
  /** What the button says. */
  action: string
  /** The platform took the code. */
  verified: (remember: boolean) => void
  /** Sends a new code to the same address. */
  again: () => void
  /** The label of the button for a new code, where that button does more than send a code. */
  againLabel?: string
  /** Goes back to the email address. Absent: the address cannot be changed. */
  change?: () => void
  /** Whether to offer a session that outlives the tab. */
  remembers?: boolean
}

/** The second step: the code from the mail. */
export function CodeStep(props: Props) {
  const { email, verificationCodeID, expireAt, action, verified, again, change, remembers } = props
  const [code, setCode] = useState('')
  const [remember, setRemember] = useState(false)
  const [tries, setTries] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const left = expireAt * 1_000 - useNow()
  const verification = api.useMutation('put', '/auth/v2/session/verification', {
    onSuccess: () => verified(remember),
    onError: () => {
      setTries((tried) => tried + 1)
      input.current?.select()
    },
  })
  useEffect(() => input.current?.focus(), [])

  const whole = /^\d{6}$/.test(code)
  const problem = verification.error && asProblem(verification.error)
  const explanation = problem ? explainCodeFault(problem, { expired: left <= 0, tries }) : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (whole && !verification.isPending) verification.mutate({ body: { verificationCodeID, code } })
      }}
    >
      <Stack gap="md">
        <Text size="sm" role="status">
          If <b className="value">{email}</b> can receive mail, we have sent a six-digit code to it. Check your inbox
          and your spam folder.
        </Text>
        <TextInput
          ref={input}
          label="Code"
          description={left > 0 ? `Expires in ${formatDuration(left)}` : 'Expired. Send a new code.'}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
          inputMode="numeric"
          autoComplete="one-time-code"
          size="md"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.4em' } }}
        />
        {remembers && (
          <Checkbox
            label="Keep me signed in on this device"
            description="If off, you are signed out when you close this tab. Leave it off on a shared computer."
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
        )}
        {problem && <ErrorAlert error={problem} explanation={explanation} />}
        <Button type="submit" disabled={!whole} loading={verification.isPending}>
          {action}
        </Button>
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" size="sm" onClick={again}>
            {props.againLabel ?? 'Send a new code'}
          </Anchor>
          {change && (
            <Anchor component="button" type="button" size="sm" onClick={change}>
              Use another email
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  )
}
