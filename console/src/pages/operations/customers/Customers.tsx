import { Stack, Table, UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { CustomerDetail } from './CustomerDetail.tsx'

const LIMIT = 20

/** `/operations/customers?page=&id=` */
export default function Customers() {
  const [given, setPage] = useParameter('page')
  const [id, setId] = useParameter('id')
  const page = Math.max(1, Math.trunc(Number(given)) || 1)
  const result = api.useQuery(
    'get',
    '/api/billing/v1/admin/customers',
    { params: { query: { page, limit: LIMIT } } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="md">
      {id !== null && <CustomerDetail key={id} id={id} close={() => setId('')} />}
      <QueryResult of={result}>
        {({ customers, items, pages }) =>
          customers.length === 0 ? (
            <EmptyState title={items > 0 ? 'No such page' : 'No customer yet'}>
              {items > 0
                ? 'The list ends before this page.'
                : 'Every user with an account can create one under Account, Team.'}
            </EmptyState>
          ) : (
            <>
              <ScrollTable
                label="Customers"
                minWidth={560}
                columns={['Name', 'Email', ['Tier', 110], ['Stacks', 80], ['Created', 140]]}
              >
                {customers.map(({ customerID, name, email, tierName, stacks, createdAt }) => (
                  <Table.Tr key={customerID} data-testid="customer">
                    <Table.Td>
                      <UnstyledButton
                        fz="sm"
                        td="underline"
                        style={{ overflowWrap: 'anywhere' }}
                        onClick={() => setId(customerID)}
                      >
                        {name}
                      </UnstyledButton>
                    </Table.Td>
                    <Table.Td className="value" fz="sm">
                      {email}
                    </Table.Td>
                    <Table.Td>{tierName}</Table.Td>
                    <Table.Td>{stacks}</Table.Td>
                    <Table.Td>
                      <RelativeTime at={createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ScrollTable>
              <Pager page={page} pages={pages} items={items} change={(to) => setPage(to === 1 ? '' : String(to))} />
            </>
          )
        }
      </QueryResult>
    </Stack>
  )
}
