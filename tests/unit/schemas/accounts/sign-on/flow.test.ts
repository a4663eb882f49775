import { expect, test } from 'vitest'
import { flowOf, isSecret, newSecret } from '../../../../../schemas/accounts/sign-on/flow.ts'

test('nonce and verifier follow from the browser and the state, and from nothing else', () => {
  const [browser, state] = [newSecret(), newSecret()]
  const flow = flowOf(browser, state)
  expect(flow).toEqual(flowOf(browser, state))
  expect(flow.nonce).not.toBe(flow.verifier)
  expect(flowOf(browser, newSecret()).nonce).not.toBe(flow.nonce)
  expect(flowOf(newSecret(), state).verifier).not.toBe(flow.verifier)
  // PKCE wants 43 characters at least (RFC 7636 section 4.1).
  expect(flow.verifier).toMatch(/^[\w-]{43}$/)
})

test('only what was made here is taken for a secret', () => {
  expect(isSecret(newSecret())).toBe(true)
  for (const text of [undefined, '', 'a', 'a'.repeat(44), `${'a'.repeat(42)};`]) expect(isSecret(text)).toBe(false)
})
