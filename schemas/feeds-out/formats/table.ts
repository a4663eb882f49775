import { fortinetIp } from './addresses/fortinet-ip.ts'
import { ipset } from './addresses/ipset.ts'
import { mikrotik } from './addresses/mikrotik.ts'
import { nft } from './addresses/nft.ts'
import { paloIp } from './addresses/palo-ip.ts'
import { pf } from './addresses/pf.ts'
import { misp } from './exchange/misp/misp.ts'
import { stix } from './exchange/stix/stix.ts'
import type { FeedFormat } from './format.ts'
import { fortinetHash } from './hashes/fortinet-hash.ts'
import { suricataMd5 } from './hashes/suricata-md5.ts'
import { suricataSha256 } from './hashes/suricata-sha256.ts'
import { mmdb } from './mmdb/mmdb.ts'
import { dnsmasq } from './names/dnsmasq.ts'
import { fortinetDomain } from './names/fortinet-domain.ts'
import { hosts } from './names/hosts.ts'
import { paloDomain } from './names/palo-domain.ts'
import { rpz } from './names/rpz.ts'
import { unbound } from './names/unbound.ts'
import { suricataDataset } from './sensors/suricata-dataset.ts'
import { suricataIprep } from './sensors/suricata-iprep.ts'
import { zeek } from './sensors/zeek.ts'
import { csv } from './text/csv.ts'
import { ndjson } from './text/ndjson.ts'
import { parquet } from './text/parquet.ts'
import { text } from './text/text.ts'
import { fortinetUrl } from './urls/fortinet-url.ts'
import { paloUrl } from './urls/palo-url.ts'

/** All formats of feeds, in the order of decisions 11.6. Their names are part of addresses, and stay. */
export const FORMATS: readonly FeedFormat[] = [text, csv, ndjson, parquet]
  .concat([paloIp, fortinetIp, pf, ipset, nft, mikrotik, mmdb])
  .concat([paloDomain, fortinetDomain, hosts, dnsmasq, unbound, rpz])
  .concat([paloUrl, fortinetUrl, fortinetHash, suricataMd5, suricataSha256])
  .concat([zeek, suricataIprep, suricataDataset, stix, misp])

const BY_NAME: ReadonlyMap<string, FeedFormat> = new Map(FORMATS.map((format) => [format.name, format]))

/** The format of a name, as in `items.{name}`; null for an unknown one. */
export const formatNamed = (name: string): FeedFormat | null => BY_NAME.get(name) ?? null
