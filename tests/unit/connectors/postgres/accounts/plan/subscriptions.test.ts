import { expect, test } from 'vitest'
import { cachedSubscriptions } from '../../../../../../connectors/postgres/accounts/plan/subscriptions.ts'

function counted() {
  const state = { now: 0, asked: [] as string[] }
  const of = async (customerId: string) => {
    state.asked.push(customerId)
    return null
  }
  return { state, subscriptions: cachedSubscriptions({ of, recent: of }, () => state.now) }
}

test('a recent subscription is asked for four times a second, an exact one every time', async () => {
  const { state, subscriptions } = counted()
  await Promise.all([subscriptions.recent('acme'), subscriptions.recent('acme')])
  state.now = 249
  await subscriptions.recent('acme')
  expect(state.asked).toHaveLength(1)
  await subscriptions.of('acme')
  state.now = 498
  await subscriptions.recent('acme')
  expect(state.asked).toHaveLength(2)
  state.now = 499
  await subscriptions.recent('acme')
  expect(state.asked).toHaveLength(3)
})

test('a customer that is in use stays remembered when ten thousand others come', async () => {
  const { state, subscriptions } = counted()
  for (let i = 0; i < 10_000; i++) await subscriptions.recent(`customer-${i}`)
  await subscriptions.recent('customer-0')
  await subscriptions.recent('customer-10000')
  state.asked.length = 0
  await subscriptions.recent('customer-0')
  await subscriptions.recent('customer-1')
  expect(state.asked).toEqual(['customer-1'])
})
