import type { Page } from 'playwright-core'
import { ADMINISTRATOR } from '../platform/platform.ts'

/** Somebody who signed in before, with a key pair: the session of this tab (console/src/api/session.ts). */
export async function holdSession(page: Page, keys: Record<string, string> = ADMINISTRATOR): Promise<void> {
  const held = JSON.stringify({ kind: 'keys', apiKey: keys['api-key'], apiSecret: keys['api-secret'] })
  await page.addInitScript(`sessionStorage.setItem('harrier.session', ${JSON.stringify(held)})`)
}
