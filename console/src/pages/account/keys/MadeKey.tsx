import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { useRefresh } from '../../../api/refresh.ts'
import type { paths } from '../../../api/schema.d.ts'
import { CodeStep } from '../../../parts/access/CodeStep.tsx'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'

type Pair = paths['/auth/v2/keypair']['post']['responses'][201]['content']['application/json']

/** Codes are good for ten minutes; the answer to a new key pair does not say until when. */
const CODE_SECONDS = 600

type Props = {
  pair: Pair
  email: string
  /** Makes another pair in its place, whose code is mailed. */
  again: () => void
  done: () => void
}

/** A new key pair, with its secret, once. */
export function MadeKey({ pair, email, again, done }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const made = useRef(Math.floor(Date.now() / 1_000))
  const refresh = useRefresh()
  useEffect(() => heading.current?.focus(), [])
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          Keep this secret now
        </Title>
        <Text size="sm">It is shown this once, and the platform keeps no copy that it could show again.</Text>
        <Facts
          label="New key pair"
          rows={[
            ['Name', pair.keyName],
            [
              'api-key',
              <span key="key" data-testid="new-key">
                <Copyable value={pair.apiKey} what="the API key" />
              </span>,
            ],
            [
              'api-secret',
              <span key="secret" data-testid="new-secret">
                <Copyable value={pair.apiSecret} what="the API secret" />
              </span>,
            ],
          ]}
        />
        {pair.verificationCodeID !== null && (
          <CodeStep
            key={pair.verificationCodeID}
            email={email}
            verificationCodeID={pair.verificationCodeID}
            expireAt={made.current + CODE_SECONDS}
            action="Verify the key pair"
            again={again}
            againLabel="No code came: make another pair"
            verified={() => {
              notifications.show({ title: 'Verified', message: `The key pair ${pair.keyName} can be used.` })
              void refresh('/auth/v2/keypairs')
              done()
            }}
          />
        )}
        <Button variant="default" onClick={done} w="fit-content">
          I have kept it
        </Button>
      </Stack>
    </Paper>
  )
}
