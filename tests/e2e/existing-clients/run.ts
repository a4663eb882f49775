/** Replays tables of calls against a platform, over plain HTTP or by way of the client itself. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMINISTRATOR, eventually, type Platform } from '../../builders/platform/platform.ts'
import type { Call, Known } from './call.ts'

export type Sent = { verb: string; path: string; body: unknown }

/** What a table needs: a member who owns a customer, and somebody else. */
export type World = { known: Known; member: Record<string, string>; mails: string }

/** What a row sends, and what it must be answered. */
export const sentBy = (call: Call, known: Known): Sent => ({
  verb: call.verb,
  path: typeof call.path === 'string' ? call.path : call.path(known),
  body: typeof call.body === 'function' ? call.body(known) : call.body,
})

const credentials = (call: Call, { member }: World): Record<string, string> =>
  ({ member, administrator: ADMINISTRATOR, anonymous: {} })[call.by ?? 'member']

/** Sends a row as the client would. Throws what is wrong with the answer; keeps what later rows need. */
export async function replay(platform: Platform, call: Call, world: World): Promise<void> {
  readCodes(world)
  const { verb, path, body } = sentBy(call, world.known)
  const ask = async () => {
    const response = await fetch(platform.url + path, {
      method: verb,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...credentials(call, world) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, answer: text === '' ? null : (JSON.parse(text) as unknown) }
  }
  const fits = ({ status, answer }: Awaited<ReturnType<typeof ask>>): boolean =>
    status === call.status && (call.holds?.(answer, world.known) ?? true)
  const last = call.eventually ? await eventually(ask, fits) : await ask()
  if (!fits(last)) throw new Error(`${verb} ${path}: ${last.status} ${JSON.stringify(last.answer)}`)
  call.keep?.(last.answer, world.known)
}

/** The newest code of every mail, under `code of <address>`. */
export function readCodes({ known, mails }: World): void {
  if (!existsSync(mails)) return
  for (const name of readdirSync(mails).sort()) {
    const mail = readFileSync(join(mails, name), 'utf8')
    const to = /^To: (\S+)/im.exec(mail)?.[1]
    const code = /\b(\d{6})\b(?![\s\S]*\b\d{6}\b)/.exec(mail)?.[1]
    if (to !== undefined && code !== undefined) known[`code of ${to}`] = code
  }
}
