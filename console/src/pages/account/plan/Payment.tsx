import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { checkoutUrl } from './checkout-url.ts'

/** The links to the pages of the payment provider. */
export function Payment() {
  const [error, setError] = useState<unknown>(null)
  const [none, setNone] = useState(false)
  const [pending, setPending] = useState(false)

  async function open(): Promise<void> {
    setError(null)
    setPending(true)
    try {
      const { data } = await client.GET('/api/billing/v1/stripe/customer')
      const there = checkoutUrl(data!.url, window.location.origin)
      if (there !== null) return window.location.assign(there)
      setNone(true)
    } catch (refused) {
      setError(refused)
    } finally {
      setPending(false)
    }
  }

  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        Billing
      </Title>
      {none ? (
        <Text size="sm" role="status">
          This platform has no payment provider, so there are no invoices.
        </Text>
      ) : (
        <Button variant="default" size="sm" onClick={() => void open()} loading={pending}>
          Open the billing portal
        </Button>
      )}
      {error !== null && <ErrorAlert error={error} />}
    </Stack>
  )
}
