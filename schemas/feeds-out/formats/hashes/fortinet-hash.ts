import { DIGEST_TYPES, digestLines } from './digest.ts'

/** FortiGate external resource of type malware hash: MD5, SHA-1 and SHA-256 in one list. */
export const fortinetHash = digestLines('fortinet-hash', DIGEST_TYPES)
