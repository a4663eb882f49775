import { describe, expect, test } from 'vitest'
import {
  bodyOf,
  changesOf,
  type Destination,
  fieldsOf,
  isUnconfirmed,
  KINDS,
  mayRetry,
  NO_DESTINATION,
  STATES,
} from '../../../../../../../console/src/pages/alerts/destinations/destination-form.ts'
import { DESTINATION_KINDS } from '../../../../../../../schemas/casework/deliveries/destination.ts'

const at = '2026-11-22T00:00:00.000Z'
const mail: Destination = {
  id: 'd',
  name: 'Mail',
  kind: 'email',
  email: 'soc@example.com',
  watchlists: ['a', 'b'],
  digest: 'daily',
  publicOnly: true,
  createdAt: at,
  updatedAt: at,
}

test('the form has every kind that the platform has', () => {
  expect(Object.keys(KINDS).sort()).toEqual([...DESTINATION_KINDS].sort())
})

describe('what is sent', () => {
  test('for a new destination has the address of its kind, and no watchlists for all', () => {
    const hook = { ...NO_DESTINATION, name: ' Hook ', address: ' https://example.com/hook ' }
    expect(bodyOf(hook)).toEqual({
      name: 'Hook',
      kind: 'webhook',
      url: 'https://example.com/hook',
      digest: 'none',
      publicOnly: false,
    })
    expect(bodyOf(fieldsOf(mail))).toMatchObject({ email: 'soc@example.com', watchlists: ['a', 'b'] })
  })

  test('for a change is what differs', () => {
    const fields = fieldsOf(mail)
    expect(changesOf(mail, fields)).toBeNull()
    expect(changesOf(mail, { ...fields, watchlists: ['b', 'a'] })).toBeNull()
    expect(changesOf(mail, { ...fields, watchlists: [] })).toEqual({ watchlists: null })
    expect(changesOf(mail, { ...fields, address: 'new@example.com', digest: 'none' })).toEqual({
      email: 'new@example.com',
      digest: 'none',
    })
    const slack = { ...mail, kind: 'slack', url: 'https://a.example' } as const
    expect(changesOf(slack, { ...fieldsOf(slack), address: 'https://b.example', publicOnly: false })).toEqual({
      url: 'https://b.example',
      publicOnly: false,
    })
  })
})

test('mail alone is confirmed', () => {
  expect(isUnconfirmed(mail)).toBe(true)
  expect(isUnconfirmed({ ...mail, confirmedAt: at })).toBe(false)
  expect(isUnconfirmed({ ...mail, kind: 'slack' })).toBe(false)
})

test('what failed or was skipped can be tried again', () => {
  const states = Object.keys(STATES) as (keyof typeof STATES)[]
  expect(states.filter((state) => mayRetry({ state }))).toEqual(['retrying', 'dead', 'skipped'])
})
