/** What the probes found, as the servers sent it: values are not in normal form yet. */

export type CertificateFound = {
  /** Hexadecimal, with colons. */
  sha256: string
  sha1: string
  issuer: string
  subject: string
  /** UTC days, `YYYY-MM-DD`. */
  validFrom: string | undefined
  validTo: string | undefined
  /** DNS names that the certificate is valid for. */
  names: string[]
}

/** A line with which a server identifies itself, without control characters. */
export type BannerFound = { kind: 'ssh' | 'greeting' | 'http-server'; text: string }

/** An open TCP port. */
export type PortFound = {
  port: number
  banner?: BannerFound | undefined
  certificate?: CertificateFound | undefined
}

export type HostFound = { address: string; names: string[]; ports: PortFound[] }

export type NameFound = { addresses: string[]; mailServers: string[]; nameServers: string[]; texts: string[] }
