import ipaddr from 'ipaddr.js'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import type { Shown } from '../fields.ts'

const datatypes = new Map(definitions().map(({ type, dataType }) => [type, dataType as string]))

/** What a main value may be that is named by this text: the text, and its normal form by each type. */
export const mainForms = (x: string): string[] => [
  x,
  x.trim(),
  ...[...datatypes.keys()].map((type) => normalise(type, x)).filter((form) => typeof form === 'string'),
]

/** The bits of an address as text, behind its family. */
function bitsOf(address: string): string {
  const parsed = ipaddr.process(address)
  return (
    parsed.kind() +
    parsed
      .toByteArray()
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
  )
}

/** The first bits that all addresses of a network have; null for what is none. */
function prefixOf(text: string): string | null {
  const [address, bits] = text.trim().split('/')
  if (bits === undefined || !/^(0|[1-9]\d?\d?)$/.test(bits) || !ipaddr.isValid(address!)) return null
  const all = bitsOf(address!)
  return Number(bits) <= all.length - 4 ? all.slice(0, 4 + Number(bits)) : null
}

/** Whether the attribute, or without one the main value, is an address or a network inside of x. */
export function insideNetwork({ type, attributes }: Shown, attribute: string | null, x: string): boolean {
  const network = prefixOf(x)
  const value = attributes[attribute ?? type]
  if (network === null || value === undefined) return false
  const kind = attribute ?? type
  if (kind === 'ip') return bitsOf(value).startsWith(network)
  return kind === 'cidr' && prefixOf(value)!.startsWith(network)
}

const NAMES: Readonly<Record<string, (value: string) => string>> = {
  FQDN: (value) => value,
  Email: (value) => value.split('@').at(-1)!,
  URL: (value) => new URL(value).hostname,
}

/** Whether the name in a value has the last labels of x. */
export function isBelowName({ type, attributes }: Shown, field: string, x: string): boolean {
  const kind = field.startsWith('value') ? type : field.replace(/^attributes\./, '').replace(/\.keyword$/, '')
  const value = attributes[kind]
  const name = NAMES[datatypes.get(kind)!]
  if (value === undefined || name === undefined) return false
  const labels = name(value).replace(/\.$/, '').split('.')
  const wanted = new URL(`http://${x}`).hostname.replace(/\.$/, '').split('.')
  return labels.slice(-wanted.length).join('.') === wanted.join('.')
}
