import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import type { paths } from '../../../api/schema.d.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import { AddCustomerMember } from './AddCustomerMember.tsx'
import { Subscription } from './Subscription.tsx'

type Customer = paths['/api/billing/v1/admin/customer/{id}']['get']['responses'][200]['content']['application/json']

/** One customer, with forms to change its subscription, add a member and delete the customer. */
export function CustomerDetail({ id, close }: { id: string; close: () => void }) {
  const result = api.useQuery(
    'get',
    '/api/billing/v1/admin/customer/{id}',
    { params: { path: { id } } },
    { staleTime: 0 },
  )
  return (
    <Paper withBorder p="md" data-testid="customer-detail">
      <QueryResult of={result}>{(customer) => <CustomerContent customer={customer} close={close} />}</QueryResult>
    </Paper>
  )
}

function CustomerContent({ customer, close }: { customer: Customer; close: () => void }) {
  const [ending, setEnding] = useState(false)
  const refresh = useRefresh()
  const { customerID, name, email, billingAddress, tierName, stacks, createdAt } = customer
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Button size="compact-sm" variant="default" onClick={close}>
          Close
        </Button>
      </Group>
      <Facts
        label="The customer"
        rows={[
          ['Email', email],
          ['Billing address', billingAddress || '—'],
          ['Subscription', `${tierName}, ${stacks} ${stacks === 1 ? 'stack' : 'stacks'}`],
          [
            'Customer id',
            <span key="id" className="value">
              {customerID}
            </span>,
          ],
          ['Created', formatInstant(createdAt)],
        ]}
      />
      <Subscription id={customerID} name={name} tier={tierName} stacks={stacks} />
      <AddCustomerMember id={customerID} />
      <Button variant="outline" color="red" w="fit-content" onClick={() => setEnding(true)}>
        Delete the customer
      </Button>
      {ending && (
        <Confirm
          title="Delete this customer?"
          action="Delete"
          typed={name}
          close={() => setEnding(false)}
          run={async () => {
            await client.DELETE('/api/billing/v1/admin/customer/{id}', { params: { path: { id: customerID } } })
            close()
            await refresh('/api/billing/v1/admin/customers')
          }}
        >
          The subscription is cancelled, the members no longer have a team, and everything that they created in it is
          deleted. The accounts stay. This cannot be undone.
        </Confirm>
      )}
    </Stack>
  )
}
