import { Stack, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, client } from '../../../api/client.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { type MemberAsk, MemberRow } from './MemberRow.tsx'
import { type Member, memberName, type NamedMember } from './members.ts'
import { RoleSentences } from './RoleSentences.tsx'
import { useTeamChange } from './useTeamChange.ts'

const LIMIT = 50

type PendingChange = MemberAsk & { member: NamedMember }

/** All members in the order in which they joined; `?page=`. */
export function Members({ caller, owners }: { caller: Member; owners: number }) {
  const [search, setSearch] = useSearchParams()
  const page = Math.min(1_000_000, Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1))
  const result = api.useQuery(
    'get',
    '/api/billing/v1/customer/members',
    { params: { query: { page, limit: LIMIT } } },
    { refetchInterval: 10_000, placeholderData: keepPreviousData },
  )
  const [asking, setAsking] = useState<PendingChange | null>(null)
  const changed = useTeamChange()
  const close = () => setAsking(null)
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Members
      </Title>
      <QueryResult of={result}>
        {({ members, items, pages }) => (
          <>
            <WideTable label="Members" columns={['Member', 'Role', 'Actions']} minWidth={640}>
              {members.map((member) => (
                <MemberRow
                  key={member.roleID}
                  member={member}
                  caller={caller}
                  owners={owners}
                  ask={(about) => setAsking({ ...about, member })}
                />
              ))}
            </WideTable>
            <Pager
              page={page}
              pages={pages}
              items={items}
              change={(to) => setSearch(to === 1 ? {} : { page: String(to) })}
            />
          </>
        )}
      </QueryResult>
      {asking?.kind === 'remove' && (
        <Confirm
          title="Remove this member?"
          action="Remove"
          close={close}
          run={async () => {
            const path = { userID: asking.member.userID }
            await client.DELETE('/api/billing/v1/customer/member/{userID}', { params: { path } })
            await changed()
          }}
        >
          <b>{memberName(asking.member)}</b> loses access to the private data and the limits of the team. The instances
          and the casework of the member in the team are deleted. Reports stay.
        </Confirm>
      )}
      {asking?.kind === 'role' && (
        <Confirm
          title={`Make ${memberName(asking.member)} ${asking.to === 'admin' ? 'an admin' : 'a user'}?`}
          action="Change the role"
          harmful={false}
          close={close}
          run={async () => {
            const body = { userID: asking.member.userID, role: asking.to }
            await client.PUT('/api/billing/v1/customer/member', { body })
            await changed()
          }}
        >
          <RoleSentences of={asking.to} />
        </Confirm>
      )}
      {asking?.kind === 'transfer' && (
        <Confirm
          title="Transfer the team?"
          action="Transfer ownership"
          typed="transfer"
          close={close}
          run={async () => {
            const body = { newOwnerUserID: asking.member.userID }
            await client.POST('/api/billing/v1/customer/transfer-ownership', { body })
            await changed()
          }}
        >
          <b>{memberName(asking.member)}</b> becomes the owner, with the plan, the payment and the right to delete the
          team. You become an admin. Only the new owner can transfer the team back.
          <RoleSentences of="owner" />
        </Confirm>
      )}
    </Stack>
  )
}
