/**
 * A value that cannot be clicked by accident: `hxxps://evil[.]example/a.html`, `203[.]0[.]113[.]9`.
 * `refang` (schemas/intelligence/ingest/refang.ts) reads it again. Values of other types stay as they are.
 */
export function defang(type: string, value: string): string {
  if (type === 'url') return url(value)
  if (type === 'ip' || type === 'cidr') return host(value)
  if (type === 'domain' || type === 'hostname') return host(value)
  if (type === 'email' || type === 'email-address')
    return value.replace(/^(.*)@(.*)$/s, (_, who, at) => `${who}[@]${host(at)}`)
  return value
}

/** The host alone: dots of a path are no names. */
const url = (value: string): string =>
  value
    .replace(/^http(s?):/i, 'hxxp$1:')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)/i, (_, scheme, authority) => `${scheme}${dots(authority)}`)

const dots = (text: string): string => text.replaceAll('.', '[.]')
/** An IPv6 address has no dots to break. */
const host = (text: string): string => (text.includes('.') ? dots(text) : text.replaceAll(':', '[:]'))
