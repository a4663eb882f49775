import { Stack } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import type { Caller } from '../../../session/caller.ts'
import { forgetInvitation, useInvitation } from '../../../session/invitation.ts'
import { AcceptInvitation } from './AcceptInvitation.tsx'
import { AddMember } from './AddMember.tsx'
import { Directory } from './Directory.tsx'
import { Invitations } from './Invitations.tsx'
import { LeaveTeam } from './LeaveTeam.tsx'
import { Members } from './Members.tsx'
import { NewTeam } from './NewTeam.tsx'
import { TeamFacts } from './TeamFacts.tsx'

/** Changes by other members show within this time. */
const EVERY_MS = 10_000

/** The team of the caller, or forms to join or create one. */
export default function Team() {
  const result = api.useQuery('get', '/auth/v2/user', {}, { refetchInterval: EVERY_MS })
  return <QueryResult of={result}>{(caller) => <TeamContent caller={caller} />}</QueryResult>
}

function TeamContent({ caller }: { caller: Caller }) {
  const { customer } = caller
  const leads = customer !== null && customer.role !== 'user'
  const first = { page: 1, limit: 100 }
  const result = api.useQuery(
    'get',
    '/api/billing/v1/customer/members',
    { params: { query: first } },
    { enabled: leads, refetchInterval: EVERY_MS },
  )
  const invitation = useInvitation()
  const invited = (
    <>
      {invitation !== null && <AcceptInvitation accepts={{ invitation }} forget={forgetInvitation} />}
      {caller.invitations.map(({ customerID, name }) => (
        <AcceptInvitation key={customerID} accepts={{ customerID, team: name }} />
      ))}
    </>
  )
  if (customer === null)
    return (
      <Stack gap="lg">
        {invited}
        <NewTeam caller={caller} />
      </Stack>
    )
  const owners = result.data?.members.filter(({ role }) => role === 'owner').length
  return (
    <Stack gap="lg">
      {invited}
      <TeamFacts role={customer.role} />
      {leads ? (
        <>
          <Members caller={{ userID: caller.userID, role: customer.role }} owners={owners ?? 1} />
          <Invitations />
          <AddMember role={customer.role} />
        </>
      ) : (
        <Directory userID={caller.userID} />
      )}
      <LeaveTeam customer={customer} soleOwner={customer.role === 'owner' && (owners ?? 1) <= 1} />
    </Stack>
  )
}
