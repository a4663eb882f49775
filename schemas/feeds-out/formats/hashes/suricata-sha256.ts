import { digestLines } from './digest.ts'

/** A list for the keyword `filesha256` of Suricata. */
export const suricataSha256 = digestLines('suricata-sha256', ['sha256'])
