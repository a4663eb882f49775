import { fortinetIp, mikrotik, paloIp, pf } from './addresses/address-lines.ts'
import { ipset } from './addresses/ipset.ts'
import { nft } from './addresses/nft.ts'
import { misp } from './exchange/misp.ts'
import { stix } from './exchange/stix.ts'
import type { FeedFormat } from './format.ts'
import { fortinetHash, suricataMd5, suricataSha256 } from './hashes/hash-lines.ts'
import { mmdb } from './mmdb/mmdb.ts'
import { dnsmasq, fortinetDomain, hosts, paloDomain, unbound } from './names/name-lines.ts'
import { rpz } from './names/rpz.ts'
import { suricataDataset, suricataIprep } from './sensors/suricata.ts'
import { zeek } from './sensors/zeek.ts'
import { csv } from './text/csv.ts'
import { parquet } from './text/parquet.ts'
import { ndjson, text } from './text/text.ts'
import { fortinetUrl } from './urls/fortinet-url.ts'
import { paloUrl } from './urls/url-lines.ts'

/** All formats of feeds, in the order of decisions 11.6. Their names are part of addresses, and stay. */
export const FORMATS: readonly FeedFormat[] = [text, csv, ndjson, parquet]
  .concat([paloIp, fortinetIp, pf, ipset, nft, mikrotik, mmdb])
  .concat([paloDomain, fortinetDomain, hosts, dnsmasq, unbound, rpz])
  .concat([paloUrl, fortinetUrl, fortinetHash, suricataMd5, suricataSha256])
  .concat([zeek, suricataIprep, suricataDataset, stix, misp])

const BY_NAME: ReadonlyMap<string, FeedFormat> = new Map(FORMATS.map((format) => [format.name, format]))

/** The format of a name, as in `items.{name}`; null for an unknown one. */
export const formatNamed = (name: string): FeedFormat | null => BY_NAME.get(name) ?? null
