/**
 * Where the payment provider wants the owner to go, or null for a platform that has none: it names itself. Throws for
 * what no provider would name.
 */
export function checkoutUrl(address: string, own: string): string | null {
  const url = URL.parse(address)
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new Error('the payment address cannot be opened')
  if (url.origin === own || isOwnRoot(url)) return null
  if (url.protocol !== 'https:') throw new Error('the payment address is not safe to open')
  return url.href
}

/** Reached under another name than its configuration has (`localhost`), the platform still names its own first page. */
const isOwnRoot = ({ protocol, pathname, search }: URL): boolean =>
  protocol === 'http:' && pathname === '/' && search === ''
