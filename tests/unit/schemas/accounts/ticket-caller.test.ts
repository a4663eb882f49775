import { expect, test } from 'vitest'
import { BUILT_IN_ADMINISTRATOR } from '../../../../api/http/middleware/identity.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ticketCaller } from '../../../../schemas/accounts/ticket-caller.ts'

const by = (given: Identity['by']): Identity => ({
  ...BUILT_IN_ADMINISTRATOR,
  userId: 'ada',
  builtIn: false,
  by: given,
})

test('a caller is what it came with: a session, a key pair, the configured key, or nothing', () => {
  expect(ticketCaller(by({ kind: 'session', id: 's' }))).toEqual({ kind: 'session', userId: 'ada', id: 's' })
  expect(ticketCaller(by({ kind: 'key pair', id: 'k' }))).toEqual({ kind: 'key pair', userId: 'ada', id: 'k' })
  expect(ticketCaller(BUILT_IN_ADMINISTRATOR)).toEqual({ kind: 'administrator' })
  expect(ticketCaller(null)).toEqual({ kind: 'anonymous' })
})

test('a device gets no ticket: its token reads one feed', () => {
  expect(ticketCaller(by({ kind: 'download token', id: 't', feedId: 'f' }))).toBeNull()
})
