import { Button, Group, NumberInput, Select, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { MAX_QUANTITY, PAID_TIERS, type PaidTier } from '../../../../../schemas/accounts/tiers/for-sale.ts'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { checkoutUrl } from './checkout-url.ts'

/** Orders a tier, at the payment provider where the platform has one. */
export function Upgrade({ tier: held, stacks }: { tier: string; stacks: number }) {
  const [tier, setTier] = useState<PaidTier>(PAID_TIERS.find((sold) => sold === held) ?? 'Pro')
  const [quantity, setQuantity] = useState<number | string>(Math.max(1, stacks))
  const [asking, { open, close }] = useDisclosure()
  const refresh = useRefresh()
  const whole = typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY
  const same = held === tier && stacks === quantity

  async function order(): Promise<void> {
    const { data } = await client.POST('/api/billing/v1/stripe/upgrade', { body: { tier, quantity: Number(quantity) } })
    const there = checkoutUrl(data!.checkoutURL, window.location.origin)
    if (there !== null) return window.location.assign(there)
    notifications.show({ title: `Your team has ${tier}`, message: 'The limits and quotas are updated.' })
    await refresh(
      '/api/billing/v1/customer/tier',
      '/api/billing/v1/customer',
      '/api/billing/v1/limits/usage',
      '/api/billing/v1/quotas/usage',
    )
  }

  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Change the plan
      </Title>
      <Group align="end" gap="sm">
        <Select
          label="Tier"
          data={[...PAID_TIERS]}
          value={tier}
          onChange={(value) => value && setTier(value as PaidTier)}
          allowDeselect={false}
          w={160}
        />
        <NumberInput
          label="Quantity"
          value={quantity}
          onChange={setQuantity}
          min={1}
          max={MAX_QUANTITY}
          allowDecimal={false}
          clampBehavior="blur"
          w={120}
        />
        <Button onClick={open} disabled={!whole || same}>
          Order …
        </Button>
      </Group>
      {same && (
        <Text size="sm" c="dimmed">
          This is the current plan.
        </Text>
      )}
      {asking && (
        <Confirm title={`Order ${tier} × ${quantity}?`} action="Order" harmful={false} run={order} close={close}>
          You continue on the page of the payment provider, which shows the price before you pay. On a platform without
          a payment provider, the order takes effect immediately and is free. The plan applies to the whole team.
        </Confirm>
      )}
    </Stack>
  )
}
