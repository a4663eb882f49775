import { Stack, Table, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { MemberName } from './MemberName.tsx'
import { RoleBadge } from './TeamFacts.tsx'

const LIMIT = 50

/** The members, for one that may not change them. */
export function Directory({ userID }: { userID: string }) {
  const [page, setPage] = useState(1)
  const result = api.useQuery(
    'get',
    '/api/billing/v1/customer/directory',
    { params: { query: { page, limit: LIMIT } } },
    { refetchInterval: 10_000, placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Members
      </Title>
      <QueryResult of={result}>
        {({ members, items, pages }) => (
          <>
            <WideTable label="Members" columns={['Member', 'Role']} minWidth={320}>
              {members.map((member) => (
                <Table.Tr key={member.roleID} data-testid={`member-${member.userID}`}>
                  <Table.Td>
                    <MemberName member={member} own={member.userID === userID} />
                  </Table.Td>
                  <Table.Td>
                    <RoleBadge role={member.role} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </WideTable>
            <Pager page={page} pages={pages} items={items} change={setPage} />
          </>
        )}
      </QueryResult>
    </Stack>
  )
}
