import { type Normalised, refuse } from '../refusal.ts'

const NOT_A_PHONE = refuse('must be a telephone number in international form, such as +1 202 555 0143')
const WRITTEN = /^\+[\d .()/-]{7,40}$/
/** E.164: at most 15 digits, no country code begins with 0. */
const E164 = /^\+[1-9]\d{6,14}$/

/** `+` and the digits. */
export function phone(raw: string): Normalised {
  if (!WRITTEN.test(raw)) return NOT_A_PHONE
  const digits = `+${raw.replace(/\D/g, '')}`
  return E164.test(digits) ? digits : NOT_A_PHONE
}
