import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { RoleBadge } from './TeamFacts.tsx'

const LIMIT = 20
const LIST = '/api/billing/v1/customer/invitations'

/** The invitations that nobody has taken yet; nothing when there are none. */
export function Invitations() {
  const [page, setPage] = useState(1)
  const result = api.useQuery(
    'get',
    LIST,
    { params: { query: { page, limit: LIMIT } } },
    { refetchInterval: 10_000, placeholderData: keepPreviousData },
  )
  const refresh = useRefresh()
  const [asking, setAsking] = useState<{ invitationID: string; email: string } | null>(null)
  if (result.data?.items === 0) return null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Waiting invitations
      </Title>
      <QueryResult of={result}>
        {({ invitations, items, pages }) => (
          <>
            <WideTable
              label="Waiting invitations"
              columns={['Address', 'Role', 'Sent', 'Ends', 'Actions']}
              minWidth={640}
            >
              {invitations.map(({ invitationID, email, role, createdAt, expireAt }) => (
                <Table.Tr key={invitationID}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Text size="sm">{email}</Text>
                  </Table.Td>
                  <Table.Td>
                    <RoleBadge role={role} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <RelativeTime at={createdAt} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <RelativeTime at={expireAt} />
                  </Table.Td>
                  <Table.Td>
                    <Button
                      size="compact-sm"
                      variant="outline"
                      color="red"
                      aria-label={`Withdraw the invitation to ${email} …`}
                      onClick={() => setAsking({ invitationID, email })}
                    >
                      Withdraw …
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </WideTable>
            <Pager page={page} pages={pages} items={items} change={setPage} />
          </>
        )}
      </QueryResult>
      {asking && (
        <Confirm
          title="Withdraw the invitation?"
          action="Withdraw"
          close={() => setAsking(null)}
          run={async () => {
            const path = { id: asking.invitationID }
            await client.DELETE('/api/billing/v1/customer/invitation/{id}', { params: { path } })
            await refresh(LIST)
          }}
        >
          The link that was mailed to <span className="value">{asking.email}</span> no longer works. You can invite the
          address again.
        </Confirm>
      )}
    </Stack>
  )
}
