/** Where an address is located, according to public registries and routing tables. */

/** `''` and `0` for unknown values. */
export type Location = {
  /** Country in English, spelled as the catalogue's `country` type spells it. */
  country: string
  /** Number of the autonomous system that announces the address. */
  asn: number
  /** Organisation that operates it. */
  aso: string
}

export interface Geo {
  /** Of an address, or of the network address of a CIDR block. Never throws: what it cannot read is nowhere. */
  locate(address: string): Location
  /** The day of the data, `YYYY-MM-DD`. */
  date: string
}
