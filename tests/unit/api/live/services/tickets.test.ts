import { expect, test } from 'vitest'
import { BUILT_IN_ADMINISTRATOR } from '../../../../../api/http/middleware/identity.ts'
import { type TicketPorts, ticketService } from '../../../../../api/live/services/tickets.ts'
import type { Credential } from '../../../../../connectors/postgres/accounts/users/port.ts'
import type { LiveTicket } from '../../../../../connectors/postgres/live/port.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import { parseNetworks } from '../../../../../schemas/accounts/client-networks.ts'
import type { KeyBounds } from '../../../../../schemas/accounts/key-bounds.ts'
import { memberOf } from '../../../../builders/api/live/streams.ts'

const NOW = 1_800_000_000_000
const IP = '192.0.2.1'

/** Tickets in memory, each redeemed once. */
function service(given: Partial<Credential> = {}, ports: Partial<TicketPorts> = {}) {
  const issued: LiveTicket[] = []
  const identity: Identity = memberOf(['blue', 'public'])
  const credential: Credential = {
    identity,
    secretHash: Buffer.alloc(32),
    previous: null,
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
        return at === -1 ? null : issued.splice(at, 1)[0]!
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
  expect((await tickets.redeem(ticket, IP)).user).toEqual(identity)
  await expect(tickets.redeem(ticket, IP)).rejects.toMatchObject({ status: 401 })
})

test('an anonymous caller and the administrator of the configuration have tickets too', async () => {
  const { tickets } = service()
  const anonymous = await tickets.issue(null)
  expect((await tickets.redeem(anonymous.ticket, IP)).user).toBeNull()
  const administrator = await tickets.issue(BUILT_IN_ADMINISTRATOR)
  expect((await tickets.redeem(administrator.ticket, IP)).user).toBe(BUILT_IN_ADMINISTRATOR)
})

test('a ticket of an administrator that the configuration does not have any more opens nothing', async () => {
  const { tickets } = service({}, { hasAdministrator: false })
  const { ticket } = await tickets.issue(BUILT_IN_ADMINISTRATOR)
  await expect(tickets.redeem(ticket, IP)).rejects.toMatchObject({ status: 401 })
})

test.each<[string, Partial<Credential>]>([
  ['is not verified any more', { verified: false }],
  ['has expired', { expiresAt: NOW }],
  ['is of a disabled user', { identity: { ...memberOf([]), disabled: true } }],
])('a ticket whose credential %s opens nothing', async (_, given) => {
  const { tickets, identity } = service(given)
  const { ticket } = await tickets.issue(identity)
  await expect(tickets.redeem(ticket, IP)).rejects.toMatchObject({ status: 401 })
})

const key = { kind: 'key pair', id: 'k' } as const
const bounded = (bounds: Partial<KeyBounds>): Partial<Credential> => {
  const { scopes = null, groups = null, networks = null } = bounds
  const parsed = networks && parseNetworks(networks)
  return { identity: { ...memberOf(['blue']), by: key, bounds: { scopes, groups, networks: parsed } } }
}

test.each<[string, Partial<Credential>, string | null]>([
  ['may not be used from the address', bounded({ networks: ['198.51.100.0/24'] }), 'network_refused'],
  ['may not read', bounded({ scopes: ['search'] }), 'scope_missing'],
  ['may read from there', bounded({ scopes: ['read'], networks: ['192.0.2.0/24'] }), null],
])('a ticket whose key %s is looked at when it opens a stream, and later', async (_, given, code) => {
  const whole = { secretHash: Buffer.alloc(32), previous: null, verified: true, expiresAt: null, ...bounded({}) }
  let credential: Partial<Credential> = whole
  const caller = { kind: 'key pair', userId: 'u', id: 'k' } as const
  const found = { caller, expiresAt: NOW + 30_000 }
  const { tickets } = service(
    {},
    {
      tickets: {
        issue: async () => true,
        redeem: async () => found,
        credential: async () => credential as Credential,
      },
    },
  )
  const { again } = await tickets.redeem('ticket', IP)
  credential = { ...credential, ...given }
  const refused = { status: 403, code }
  if (code === null) await expect(again()).resolves.toMatchObject({ by: key })
  else {
    await expect(again()).rejects.toMatchObject(refused)
    await expect(tickets.redeem('ticket', IP)).rejects.toMatchObject(refused)
  }
})

test.each([
  ['before an old secret ended', NOW + 20_000, 401],
  ['after it', NOW - 20_000, null],
  ['while it works still', NOW + 40_000, null],
])('a ticket of a rotated key that was asked for %s', async (_, until, status) => {
  let at = NOW
  const { tickets, identity } = service({ ...bounded({}), previous: { secretHash: null, until } }, { now: () => at })
  const { ticket } = await tickets.issue({ ...identity, by: key })
  const { again } = await tickets.redeem(ticket, IP)
  at = NOW + 29_000
  if (status === null) await expect(again()).resolves.toMatchObject({ by: key })
  else await expect(again()).rejects.toMatchObject({ status })
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
