import { ended } from '../../../clients/device.ts'
import { orSkip } from '../../../clients/prepare.ts'

/** dig of BIND, asking at a port of loopback. It looks closely: what it does not like it says in lines of `;; WARNING`. */

/** What it prints. @param skip for a machine without it */
export async function dig(skip: (why: string) => never, port: number, ...args: readonly string[]): Promise<string> {
  const how = ['@127.0.0.1', '-p', String(port), '+tries=1', '+time=20', ...args]
  return (await orSkip(ended('dig', how), skip)).out
}

const COMPLAINT = /^;; (?:Warning|WARNING|Truncated|Got bad|Question section mismatch|communications).*$/gm

export const headOf = (out: string) => ({
  status: /status: (\w+)/.exec(out)?.[1],
  flags: /flags: ([\w ]*);/.exec(out)?.[1],
  answers: Number(/ANSWER: (\d+)/.exec(out)?.[1]),
  // It asks for recursion where it is not told otherwise.
  complaints: (out.match(COMPLAINT) ?? []).filter((line) => !line.includes('recursion requested but not available')),
})

/** The strings of a TXT record as programs print them, put together again. */
export function textOf(printed: string): string {
  const strings = [...printed.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one]) =>
    one!.replace(/\\(\d{3})|\\(.)/g, (_, code, sign) => (code ? String.fromCharCode(code) : sign)),
  )
  return Buffer.from(strings.join(''), 'latin1').toString()
}
