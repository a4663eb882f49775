import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Copyable } from '../copy/Copyable.tsx'
import { Facts } from '../tables/Facts.tsx'

type Props = {
  pair: { keyName: string; apiKey: string; apiSecret: string }
  /** When the pair expires, as text; absent: the row is left out. */
  expires?: string
  /** What is left to do with the pair. */
  children?: ReactNode
  done: () => void
}

/** A new key pair with its secret, which the platform cannot show again. Its heading gets the focus. */
export function KeySecret({ pair: { keyName, apiKey, apiSecret }, expires, children, done }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          Copy this secret now
        </Title>
        <Text size="sm">The secret is shown only once. The platform cannot show it again.</Text>
        <Facts
          label="New key pair"
          rows={[
            ['Name', keyName],
            [
              'api-key',
              <span key="key" data-testid="new-key">
                <Copyable value={apiKey} what="the API key" />
              </span>,
            ],
            [
              'api-secret',
              <span key="secret" data-testid="new-secret">
                <Copyable value={apiSecret} what="the API secret" />
              </span>,
            ],
            ...(expires === undefined ? [] : [['Expires', expires] satisfies [string, string]]),
          ]}
        />
        {children}
        <Button variant="default" onClick={done} w="fit-content">
          I have copied it
        </Button>
      </Stack>
    </Paper>
  )
}
