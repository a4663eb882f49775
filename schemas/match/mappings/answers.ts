import { fqdn } from '../../intelligence/entities/datatypes/fqdn.ts'
import { parseIpv4 } from '../../intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../../intelligence/entities/datatypes/ipv6.ts'

/** Several values of one text that are looked at. */
const MAX_PARTS = 100

/** The host of an MX or SRV record behind its numbers. */
const BEHIND_NUMBERS = /^(?:\d{1,5}\s+){1,3}(\S+)$/

/**
 * The addresses and names of one answer. Most sensors write one; some write all answers into one text, or the priority and
 * the port of a record before its name. Any other text stays as it is: the words of a TXT record are no answers (ADR 256).
 */
export function answersOf(text: string): string[] {
  if (!/[\s,;]/.test(text)) return [text]
  const host = BEHIND_NUMBERS.exec(text.trim())?.[1]
  if (host !== undefined) return [host]
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return parts.length > 0 && parts.length <= MAX_PARTS && parts.every(isHost) ? parts : [text]
}

/** An address, or a name of more than one label. */
const isHost = (part: string): boolean =>
  parseIpv4(part) >= 0 ||
  parseIpv6(part) !== null ||
  (/[^.]\.[^.]/.test(part) && typeof fqdn(part.replace(/\.$/, '')) === 'string')
