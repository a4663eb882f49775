import { domainToASCII } from 'node:url'
import { type Normalised, refuse } from '../refusal.ts'

const NOT_AN_FQDN = refuse('must be a fully qualified domain name, such as www.example.com')
const TOO_LONG = refuse('must be a domain name of at most 253 characters, each label 1 to 63')
const HYPHEN = refuse('must be a domain name with labels that neither begin nor end with a hyphen')
const BAD_TLD = refuse('must be a domain name that ends with a top-level domain: letters, or an xn-- form')

const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
const MAX_LENGTH = 253
/** Longest text worth converting: every label is at most 63 characters however it is written. */
const MAX_IDN_LENGTH = 1024

const DOT = 46
const HYPHEN_MINUS = 45

/** a-z, 0-9 and the underscore that service and host names carry in practice. */
const isLabelCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === HYPHEN_MINUS

function ascii(name: string): Normalised {
  if (name.length > MAX_LENGTH) return TOO_LONG
  let start = 0
  for (let i = 0; i <= name.length; i++) {
    const code = i === name.length ? DOT : name.charCodeAt(i)
    if (code !== DOT) {
      if (!isLabelCode(code)) return NOT_AN_FQDN
      continue
    }
    if (i === start || i - start > 63) return i === start ? NOT_AN_FQDN : TOO_LONG
    if (name.charCodeAt(start) === HYPHEN_MINUS || name.charCodeAt(i - 1) === HYPHEN_MINUS) return HYPHEN
    if (i < name.length) start = i + 1
  }
  if (start === 0) return NOT_AN_FQDN
  return TLD.test(name.slice(start)) ? name : BAD_TLD
}

const NON_ASCII = /[^\p{ASCII}]/u

/** Lower case, IDN as its ASCII form, no trailing dot; at least two labels, the last one a name (decisions 3.2). */
export function fqdn(raw: string): Normalised {
  let name = raw
  if (NON_ASCII.test(raw)) {
    if (raw.length > MAX_IDN_LENGTH || raw.includes('%')) return NOT_AN_FQDN
    name = domainToASCII(raw)
  } else name = raw.toLowerCase()
  if (name.endsWith('.')) name = name.slice(0, -1)
  return ascii(name)
}
