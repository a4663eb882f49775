import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { asProblem, type Problem } from '../../api/problem.ts'
import { signIn } from '../../api/session.ts'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { explainKeyPairFault, isKeyText } from './faults.ts'

/** Managers of passwords are not to offer or keep these: they belong to programs. */
const KEEP_OUT = { autoComplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true', 'data-bwignore': true }

/** Signs in with a key pair. The pair is kept for this tab, and only after the platform accepted it. */
export function KeyPair() {
  const [apiKey, setApiKey] = useState('')
  const [apiSecret, setApiSecret] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [pending, setPending] = useState(false)
  const given = { apiKey: apiKey.trim(), apiSecret: apiSecret.trim() }
  const fault = (text: string) =>
    text === '' || isKeyText(text) ? undefined : 'Use letters, digits and symbols, without spaces'
  const ready = isKeyText(given.apiKey) && isKeyText(given.apiSecret)

  async function check(): Promise<void> {
    setPending(true)
    setProblem(null)
    try {
      await client.GET('/auth/v2/user', { headers: { 'api-key': given.apiKey, 'api-secret': given.apiSecret } })
      signIn({ kind: 'keys', ...given })
    } catch (refused) {
      setProblem(asProblem(refused))
      setPending(false)
    }
  }

  const explanation = problem ? explainKeyPairFault(problem) : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !pending) void check()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="API key"
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
          error={fault(given.apiKey)}
          spellCheck={false}
          maxLength={512}
          {...KEEP_OUT}
        />
        <PasswordInput
          label="API secret"
          value={apiSecret}
          onChange={(event) => setApiSecret(event.currentTarget.value)}
          error={fault(given.apiSecret)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the secret', tabIndex: 0, 'aria-hidden': false }}
          maxLength={512}
          {...KEEP_OUT}
        />
        {problem && <ErrorAlert error={problem} explanation={explanation} />}
        <Button type="submit" disabled={!ready} loading={pending}>
          Sign in with the key pair
        </Button>
        <Text size="xs" c="dimmed">
          The pair is kept until you close this tab or sign out. It is not stored anywhere else.
        </Text>
      </Stack>
    </form>
  )
}
