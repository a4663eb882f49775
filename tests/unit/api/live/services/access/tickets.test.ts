import { expect, test } from 'vitest'
import { BUILT_IN_ADMINISTRATOR } from '../../../../../../api/http/middleware/identity.ts'
import { type TicketPorts, ticketService } from '../../../../../../api/live/services/access/tickets.ts'
import type { Credential } from '../../../../../../connectors/postgres/accounts/port.ts'
import type { LiveTicket } from '../../../../../../connectors/postgres/live/port.ts'
import type { Identity } from '../../../../../../schemas/accounts/accounts.ts'
import { memberOf } from '../../../../../builders/api/live/streams.ts'

const NOW = 1_800_000_000_000

/** Tickets in memory, each redeemed once. */
function service(given: Partial<Credential> = {}, ports: Partial<TicketPorts> = {}) {
  const issued: LiveTicket[] = []
  const identity: Identity = memberOf(['blue', 'public'])
  const credential: Credential = {
    identity,
    secretHash: Buffer.alloc(32),
    verified: true,
    expiresAt: null,
    ...given,
  } as Credential
  let n = 0
  const tickets = ticketService({
    tickets: {
      async issue(ticket) {
        issued.push(ticket)
        return true
      },
      async redeem(hash, now) {
        const at = issued.findIndex(({ ticketHash, expiresAt }) => ticketHash.equals(hash) && expiresAt > now)
        return at === -1 ? null : issued.splice(at, 1)[0]!.caller
      },
      credential: async () => credential,
    },
    hasAdministrator: true,
    newTicket: () => `ticket-${n++}`,
    now: () => NOW,
    ...ports,
  })
  return { tickets, issued, identity }
}

test('a ticket stands for whoever asked for it, once, and is stored as a hash alone', async () => {
  const { tickets, issued, identity } = service()
  const { ticket, expiresAt } = await tickets.issue(identity)
  expect(expiresAt).toBe(NOW + 30_000)
  expect(JSON.stringify(issued)).not.toContain(ticket)
  expect((await tickets.redeem(ticket)).user).toEqual(identity)
  await expect(tickets.redeem(ticket)).rejects.toMatchObject({ status: 401 })
})

test('an anonymous caller and the administrator of the configuration have tickets too', async () => {
  const { tickets } = service()
  const anonymous = await tickets.issue(null)
  expect((await tickets.redeem(anonymous.ticket)).user).toBeNull()
  const administrator = await tickets.issue(BUILT_IN_ADMINISTRATOR)
  expect((await tickets.redeem(administrator.ticket)).user).toBe(BUILT_IN_ADMINISTRATOR)
})

test('a ticket of an administrator that the configuration does not have any more opens nothing', async () => {
  const { tickets } = service({}, { hasAdministrator: false })
  const { ticket } = await tickets.issue(BUILT_IN_ADMINISTRATOR)
  await expect(tickets.redeem(ticket)).rejects.toMatchObject({ status: 401 })
})

test.each<[string, Partial<Credential>]>([
  ['is not verified any more', { verified: false }],
  ['has expired', { expiresAt: NOW }],
  ['is of a disabled user', { identity: { ...memberOf([]), disabled: true } }],
])('a ticket whose credential %s opens nothing', async (_, given) => {
  const { tickets, identity } = service(given)
  const { ticket } = await tickets.issue(identity)
  await expect(tickets.redeem(ticket)).rejects.toMatchObject({ status: 401 })
})

test('who reads a single feed with a download token gets no ticket, and a user that is gone neither', async () => {
  const { tickets, identity } = service()
  const device: Identity = { ...identity, by: { kind: 'download token', id: 't', feedId: 'f' } }
  await expect(tickets.issue(device)).rejects.toMatchObject({ status: 403 })
  const gone = service(
    {},
    { tickets: { issue: async () => false, redeem: async () => null, credential: async () => null } },
  )
  await expect(gone.tickets.issue(identity)).rejects.toMatchObject({ status: 401 })
})
