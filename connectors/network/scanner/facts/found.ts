/** What the probes bring home, as it was said: nothing here is in normal form yet. */

export type CertificateFound = {
  /** Hexadecimal, with colons. */
  sha256: string
  sha1: string
  issuer: string
  subject: string
  /** UTC days, `YYYY-MM-DD`. */
  validFrom: string | undefined
  validTo: string | undefined
  /** DNS names it is for. */
  names: string[]
}

/** A line that a server says of itself, without control characters. */
export type BannerFound = { kind: 'ssh' | 'greeting' | 'http-server'; text: string }

/** An open TCP port. */
export type PortFound = { port: number; banner?: BannerFound; certificate?: CertificateFound }

export type HostFound = { address: string; names: string[]; ports: PortFound[] }

export type NameFound = { addresses: string[]; mailServers: string[]; nameServers: string[]; texts: string[] }
