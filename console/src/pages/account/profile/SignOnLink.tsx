import { Button, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
import { linkAccount, signOnOutcome } from '../../../session/sign-on.ts'

const OUTCOMES: Readonly<Record<string, string>> = {
  'of-another-user': 'Not linked: this person already signs in to another account.',
  'has-another': 'Not linked: your account already has a link.',
  denied: 'Not linked: the sign-in page did not let you through.',
  refused: 'Not linked: the answer of the sign-in page was not valid.',
  unavailable: 'Not linked: the sign-in page does not respond.',
}

/** Whether the account is linked with single sign-on; nothing on a platform without it. */
export function SignOnLink({ isSession }: { isSession: boolean }) {
  const { data } = api.useQuery('get', '/auth/v2/oidc', {}, { staleTime: Number.POSITIVE_INFINITY })
  const issuer = data?.issuer ?? null
  return issuer === null ? null : <LinkOf issuer={issuer} isSession={isSession} />
}

function LinkOf({ issuer, isSession }: { issuer: string; isSession: boolean }) {
  const { data } = api.useQuery('get', '/auth/v2/oidc/link')
  const [asking, { open, close }] = useDisclosure()
  const { error, sending, send } = useSend()
  const refresh = useRefresh()
  const linked = data !== undefined && data.linkedAt !== null
  const outcome = signOnOutcome !== null && Object.hasOwn(OUTCOMES, signOnOutcome) ? OUTCOMES[signOnOutcome] : null

  async function unlink(): Promise<void> {
    await client.DELETE('/auth/v2/oidc/link')
    await refresh('/auth/v2/oidc/link', '/auth/v2/user')
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Single sign-on
      </Title>
      <Text size="sm" role="status" data-testid="sign-on-link">
        {linked ? `Linked with ${issuer}.` : `Not linked with ${issuer}.`}
      </Text>
      {!linked && outcome && <Text size="sm">{outcome}</Text>}
      {error !== null && <ErrorAlert error={error} />}
      {!isSession && (
        <Text size="sm" c="dimmed">
          To change this, sign in with a mailed code.
        </Text>
      )}
      {isSession && data !== undefined && !linked && (
        <Button variant="default" size="sm" loading={sending} onClick={() => void send(linkAccount)}>
          Link with {issuer}
        </Button>
      )}
      {isSession && linked && (
        <Button variant="default" size="sm" onClick={open}>
          Unlink …
        </Button>
      )}
      {asking && (
        <Confirm title={`Unlink from ${issuer}?`} action="Unlink" run={unlink} close={close}>
          You then sign in with a mailed code. The roles, groups and team from {issuer} are removed.
        </Confirm>
      )}
    </Stack>
  )
}
