import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../platform/platform.ts'

/** The mails that the platform on `dataDir` has sent to an address, oldest first. */
function mailsTo(dataDir: string, email: string): string[] {
  const outbox = join(dataDir, 'outbox')
  return readdirSync(outbox)
    .sort()
    .map((name) => readFileSync(join(outbox, name), 'utf8'))
    .filter((mail) => mail.includes(email))
}

/** The code of the newest mail to an address. Throws when there is none. */
export function mailedCode(dataDir: string, email: string): string {
  const codes = mailsTo(dataDir, email).flatMap((mail) => /\b\d{6}\b(?![\s\S]*\b\d{6}\b)/.exec(mail)?.[0] ?? [])
  const code = codes.at(-1)
  if (code === undefined) throw new Error(`no code was mailed to ${email}`)
  return code
}

/** The token of the newest invitation to an address. Throws when there is none. */
export function mailedInvitation(dataDir: string, email: string): string {
  // Long lines of a mail are broken by `=`, and `=` itself is written as `=3D`.
  const text = (mailsTo(dataDir, email).at(-1) ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const token = /#invitation=([\w-]+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no invitation was mailed to ${email}`)
  return token
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
