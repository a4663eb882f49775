import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import type { Destination } from './destination-form.ts'

/** The code that was mailed to the address of a destination, or another one. */
export function ConfirmAddress({ destination: { id, email } }: { destination: Destination }) {
  const [code, setCode] = useState('')
  const refresh = useRefresh()
  const onSuccess = () => refresh('/api/alerts/v1/destinations', '/api/alerts/v1/destinations/{id}')
  const confirm = api.useMutation('post', '/api/alerts/v1/destinations/{id}/confirm', { onSuccess })
  // The same address again is mailed another code while it is not confirmed.
  const again = api.useMutation('patch', '/api/alerts/v1/destinations/{id}')
  const params = { path: { id } }
  const whole = /^\d{6}$/.test(code)
  return (
    <Alert color="yellow" variant="light" title="Confirm the address" data-testid="confirm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (whole && !confirm.isPending) confirm.mutate({ params, body: { code } })
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            We mailed a six-digit code to <b className="value">{email}</b>. Nothing is sent there until you enter it.
          </Text>
          <Group align="end" gap="sm">
            <TextInput
              label="Code"
              w={140}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
            />
            <Button type="submit" disabled={!whole} loading={confirm.isPending}>
              Confirm
            </Button>
            <Button
              variant="default"
              loading={again.isPending}
              onClick={() => email !== undefined && again.mutate({ params, body: { email } })}
            >
              Send a new code
            </Button>
          </Group>
          <Text size="sm" role="status">
            {again.isSuccess && 'A new code is on its way. The previous code is no longer valid.'}
          </Text>
          {confirm.error && <ErrorAlert error={confirm.error} />}
          {again.error && <ErrorAlert error={again.error} />}
        </Stack>
      </form>
    </Alert>
  )
}
