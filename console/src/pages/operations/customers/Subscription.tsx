import { Button, Group, NumberInput, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'

const TIERS = ['Free', 'Pro', 'Enterprise'] as const
type Tier = (typeof TIERS)[number]
const MAX_STACKS = 1_000
const PATH = '/api/billing/v1/admin/customer/{id}/subscription'

type Props = { id: string; name: string; tier: string; stacks: number }

/** Sets or cancels the subscription of a customer. */
export function Subscription({ id, name, tier, stacks }: Props) {
  const [wanted, setWanted] = useState<Tier>(TIERS.find((one) => one === tier) ?? 'Free')
  const [quantity, setQuantity] = useState<number | string>(stacks)
  const [cancelling, setCancelling] = useState(false)
  const refresh = useRefresh()
  const changed = () => refresh('/api/billing/v1/admin/customers', '/api/billing/v1/admin/customer/{id}')
  const set = api.useMutation('put', PATH, { onSuccess: changed })
  const params = { path: { id } }
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Subscription
      </Title>
      <Group gap="sm" align="end">
        <Select
          label="Tier"
          w={150}
          data={[...TIERS]}
          value={wanted}
          onChange={(to) => to && setWanted(to as Tier)}
          allowDeselect={false}
        />
        <NumberInput
          label="Stacks"
          w={110}
          min={1}
          max={MAX_STACKS}
          allowDecimal={false}
          value={quantity}
          onChange={setQuantity}
        />
        <Button
          loading={set.isPending}
          disabled={!Number.isInteger(quantity)}
          onClick={() => set.mutate({ params, body: { tier: wanted, quantity: Number(quantity) } })}
        >
          Set the subscription
        </Button>
        <Button variant="default" onClick={() => setCancelling(true)}>
          Cancel it
        </Button>
        <Text size="sm" role="status">
          {set.isSuccess && 'Set.'}
        </Text>
      </Group>
      {set.error && <ErrorAlert error={set.error} />}
      {cancelling && (
        <Confirm
          title={`Cancel the subscription of ${name}?`}
          action="Cancel the subscription"
          close={() => setCancelling(false)}
          run={async () => {
            await client.DELETE(PATH, { params })
            await changed()
          }}
        >
          The quotas become zero, and all instances are deleted. The customer and its members stay.
        </Confirm>
      )}
    </Stack>
  )
}
