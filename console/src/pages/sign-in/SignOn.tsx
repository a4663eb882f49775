import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { api } from '../../api/client.ts'
import { signOn, signOnOutcome } from '../../session/sign-on.ts'
import { explainSignOn } from './faults.ts'

/** The way in through the issuer of an organisation; nothing on a platform without one. */
export function SignOn({ to }: { to: string }) {
  const { data } = api.useQuery('get', '/auth/v2/oidc', {}, { staleTime: Number.POSITIVE_INFINITY })
  const issuer = data?.issuer ?? null
  const fault = explainSignOn(signOnOutcome)
  if (issuer === null) return null
  return (
    <Stack gap="md" mb="md">
      {fault && (
        <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} title={fault.title} role="alert">
          <Text size="sm">{fault.text}</Text>
        </Alert>
      )}
      <Button onClick={() => signOn(to)}>Sign in with {issuer}</Button>
      <Text size="sm" c="dimmed" ta="center">
        or
      </Text>
    </Stack>
  )
}
