/** Which protocol a probe may speak to which port. Pure. */

export type Service =
  /** The probe only listens. */
  | 'greets'
  | 'http'
  | 'https'
  /** TLS from the first byte; then the server greets. */
  | 'greets-securely'
  /** The probe listens first, then tries HTTPS and HTTP. */
  | 'unknown'

const HTTP = new Set([80, 591, 8000, 8008, 8080, 8081, 8088, 8888])
const HTTPS = new Set([443, 4443, 8443, 9443])
const SECURE = new Set([465, 563, 636, 853, 989, 990, 992, 993, 994, 995, 5223])

/**
 * Servers above port 1023 that might take a probe for one of their own requests: raw printers print whatever arrives.
 */
const OTHERS = new Set([1433, 1521, 2049, 3306, 3389, 5432, 5900, 6379, 9042, 11211, 27017])
const PRINTERS = { from: 9100, to: 9107 }

const FIRST_FREE_PORT = 1_024

/** A probe never sends anything to a port of another known protocol, whatever answers there. */
export function serviceOf(port: number): Service {
  if (HTTP.has(port)) return 'http'
  if (HTTPS.has(port)) return 'https'
  if (SECURE.has(port)) return 'greets-securely'
  const printer = port >= PRINTERS.from && port <= PRINTERS.to
  return port < FIRST_FREE_PORT || OTHERS.has(port) || printer ? 'greets' : 'unknown'
}
