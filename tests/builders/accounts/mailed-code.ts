import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../platform/platform.ts'

/** The codes that the platform on `dataDir` has mailed to an address, oldest first. */
function mailedCodes(dataDir: string, email: string): string[] {
  const outbox = join(dataDir, 'outbox')
  return readdirSync(outbox)
    .sort()
    .map((name) => readFileSync(join(outbox, name), 'utf8'))
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /\b\d{6}\b(?![\s\S]*\b\d{6}\b)/.exec(mail)?.[0] ?? [])
}

/** The code of the newest mail to an address. Throws when there is none. */
export function mailedCode(dataDir: string, email: string): string {
  const code = mailedCodes(dataDir, email).at(-1)
  if (code === undefined) throw new Error(`no code was mailed to ${email}`)
  return code
}

/** Registers over the API; resolves to the headers of a verified session. */
export async function registered(
  platform: Pick<Platform, 'ask' | 'url' | 'dataDir'>,
  email: string,
  alias: string,
): Promise<{ authorization: string; userID: string }> {
  const { body } = await platform.ask('/auth/v2/user', { email, fullName: '', alias }, null)
  const answer = { verificationCodeID: body.verificationCodeID, code: mailedCode(platform.dataDir, email) }
  const headers = { 'content-type': 'application/json' }
  const url = `${platform.url}/auth/v2/session/verification`
  const { status } = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(answer) })
  if (status !== 200) throw new Error(`not verified: ${status}`)
  const authorization = `Bearer ${body.bearer}`
  const caller = await platform.ask('/auth/v2/user', undefined, { authorization })
  return { authorization, userID: caller.body.userID }
}
