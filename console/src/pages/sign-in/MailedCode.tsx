import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { clientName } from './client-name.ts'
import { explainMailFault } from './faults.ts'
import { SessionCode } from './SessionCode.tsx'

/** A session of an account that exists: by its email, then by the code that is mailed there. */
export function MailedCode() {
  const [email, setEmail] = useState('')
  const opening = api.useMutation('post', '/auth/v2/session')
  const open = () => opening.mutate({ body: { email: email.trim(), kind: clientName(navigator.userAgent) } })
  const { data } = opening
  if (data !== undefined)
    return <SessionCode session={data} email={email.trim()} action="Sign in" again={open} change={opening.reset} />
  const problem = opening.error && asProblem(opening.error)
  const explanation = problem ? explainMailFault(problem) : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (email.trim() !== '' && !opening.isPending) open()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          description="We mail you a six-digit code. There are no passwords."
          type="email"
          autoComplete="email"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {problem && <ErrorAlert error={problem} explanation={explanation} />}
        <Button type="submit" disabled={email.trim() === ''} loading={opening.isPending}>
          Mail me a code
        </Button>
      </Stack>
    </form>
  )
}
