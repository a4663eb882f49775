import { digestLines } from './digest.ts'

/** A list for the keyword `filemd5` of Suricata. */
export const suricataMd5 = digestLines('suricata-md5', ['md5'])
