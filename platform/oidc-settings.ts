/** The settings of single sign-on (decisions 16.3): all or none, and over https alone, but for loopback. */

import { Type } from 'typebox'

/** Where the API takes browsers back. */
const CALLBACK = '/auth/v2/oidc/callback'

const text = () => Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 }))

export const OIDC_SETTINGS = {
  HARRIER_OIDC_ISSUER: text(),
  HARRIER_OIDC_CLIENT_ID: text(),
  HARRIER_OIDC_CLIENT_SECRET: text(),
  HARRIER_OIDC_REDIRECT_URI: text(),
  HARRIER_OIDC_MAPPING_FILE: text(),
  /** Addresses of the issuer count as verified, whatever its tokens say of that (ADR 256). */
  HARRIER_OIDC_TRUST_EMAIL: Type.Boolean({ default: false }),
}

const REQUIRED = [
  'HARRIER_OIDC_ISSUER',
  'HARRIER_OIDC_CLIENT_ID',
  'HARRIER_OIDC_CLIENT_SECRET',
  'HARRIER_OIDC_REDIRECT_URI',
] as const

type Given = Readonly<{ [Name in keyof typeof OIDC_SETTINGS]?: unknown }>

/** A message never contains a value. */
export function oidcFaults(given: Given): string[] {
  const set = REQUIRED.filter((name) => given[name] !== undefined)
  if (set.length === 0) {
    const faults = []
    if (given.HARRIER_OIDC_MAPPING_FILE !== undefined) faults.push('HARRIER_OIDC_MAPPING_FILE')
    if (given.HARRIER_OIDC_TRUST_EMAIL === true) faults.push('HARRIER_OIDC_TRUST_EMAIL')
    return faults.map((name) => `${name} requires HARRIER_OIDC_ISSUER`)
  }
  if (set.length < REQUIRED.length) return [`${REQUIRED.join(', ')} must be set together`]
  const faults = (['HARRIER_OIDC_ISSUER', 'HARRIER_OIDC_REDIRECT_URI'] as const).flatMap((name) =>
    isSafe(URL.parse(String(given[name]))) ? [] : [`${name} must be an https:// URL, or an http:// URL on loopback`],
  )
  if (faults.length === 0 && URL.parse(String(given.HARRIER_OIDC_REDIRECT_URI))!.pathname !== CALLBACK)
    faults.push(`HARRIER_OIDC_REDIRECT_URI must have the path ${CALLBACK}`)
  return faults
}

function isSafe(url: URL | null): boolean {
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  if (url.protocol === 'https:') return true
  const { hostname: host } = url
  return url.protocol === 'http:' && (host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host))
}

type Set = Partial<Record<Exclude<keyof typeof OIDC_SETTINGS, 'HARRIER_OIDC_TRUST_EMAIL'>, string>> & {
  HARRIER_OIDC_TRUST_EMAIL: boolean
}

export const oidcOf = (env: Set) =>
  env.HARRIER_OIDC_ISSUER === undefined ||
  env.HARRIER_OIDC_CLIENT_ID === undefined ||
  env.HARRIER_OIDC_CLIENT_SECRET === undefined ||
  env.HARRIER_OIDC_REDIRECT_URI === undefined
    ? null
    : {
        issuer: env.HARRIER_OIDC_ISSUER,
        clientId: env.HARRIER_OIDC_CLIENT_ID,
        clientSecret: env.HARRIER_OIDC_CLIENT_SECRET,
        redirectUri: env.HARRIER_OIDC_REDIRECT_URI,
        mappingFile: env.HARRIER_OIDC_MAPPING_FILE ?? null,
        trustsEmail: env.HARRIER_OIDC_TRUST_EMAIL,
      }
