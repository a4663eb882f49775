import type { Page } from 'playwright-core'
import { ADMINISTRATOR } from './platform.ts'

/** The administrator, as somebody who signed in before: the session of this tab (console/src/session/session.ts). */
export async function holdSession(page: Page): Promise<void> {
  const { 'api-key': apiKey, 'api-secret': apiSecret } = ADMINISTRATOR
  const held = JSON.stringify({ kind: 'keys', apiKey, apiSecret })
  await page.addInitScript(`sessionStorage.setItem('harrier.session', ${JSON.stringify(held)})`)
}
