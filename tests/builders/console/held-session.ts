import type { Page } from 'playwright-core'
import { ADMINISTRATOR } from '../platform/platform.ts'

/** Of the origin of the console, with its storage, and no page of it. */
export const RESTING = '/assets/harrier.svg'

/** Somebody who signed in before, with a key pair: the session of this tab (console/src/api/session.ts) from its next load on. */
export const holdSession = (page: Page, keys: Record<string, string> = ADMINISTRATOR): Promise<void> =>
  hold(page, { kind: 'keys', apiKey: keys['api-key'], apiSecret: keys['api-secret'] })

/** Somebody who signed in before with a mailed code: `authorization` as a request has it. */
export const holdBearer = (page: Page, { authorization }: { authorization: string }): Promise<void> =>
  hold(page, { kind: 'bearer', bearer: authorization.replace('Bearer ', '') })

async function hold(page: Page, credentials: object): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(RESTING)
  await page.evaluate(`sessionStorage.setItem('harrier.session', ${JSON.stringify(JSON.stringify(credentials))})`)
}
