import { DIGEST_TYPES, digestLines } from './digest.ts'

/** A list for the keyword `filesha256` of Suricata. */
export const suricataSha256 = digestLines('suricata-sha256', ['sha256'])

/** A list for the keyword `filemd5` of Suricata. */
export const suricataMd5 = digestLines('suricata-md5', ['md5'])

/** FortiGate external resource of type malware hash: MD5, SHA-1 and SHA-256 in one list. */
export const fortinetHash = digestLines('fortinet-hash', DIGEST_TYPES)
