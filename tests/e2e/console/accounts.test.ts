import { afterAll, describe } from 'vitest'
import { openIdProvider } from '../../builders/accounts/sign-on/provider.ts'
import { hasBrowser } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { accountTests, smallTiers } from './accounts/account.ts'
import { signInTests } from './accounts/sign-in.ts'
import { type IdProvider, signOnTests } from './accounts/sign-on.ts'

/** Accounts and ways into them, on one platform that has a provider of sign-on beside its own mail. */
describe.skipIf(!hasBrowser())('accounts in the console', () => {
  const settings = ownFolder()
  let provider: IdProvider
  const shared = openConsole(async () => {
    provider = await openIdProvider()
    return { ...provider.env, ...smallTiers(settings) }
  })
  afterAll(() => provider?.close())
  accountTests(shared)
  signInTests(shared)
  signOnTests(shared, () => provider)
})
