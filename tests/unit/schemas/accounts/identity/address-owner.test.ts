import { expect, test } from 'vitest'
import { ownersOf } from '../../../../../schemas/accounts/identity/address-owner.ts'

const user = (userID: string, address: string, verified: boolean) => ({ userID, emails: [{ address, verified }] })

test('an address belongs to who verified it, in any case of its letters', () => {
  const [ada, other] = [user('1', 'Ada@example.com', true), user('2', 'ada@example.com', false)]
  expect(ownersOf([ada, other, user('3', 'ada@example.com.au', true)], 'ADA@example.com')).toEqual({
    owners: [ada],
    entered: [ada, other],
  })
})

test('an address that was only entered belongs to nobody', () => {
  expect(ownersOf([user('2', 'ada@example.com', false)], 'ada@example.com').owners).toEqual([])
})
