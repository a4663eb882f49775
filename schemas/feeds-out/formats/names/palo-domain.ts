import type { FeedFormat } from '../format.ts'
import { nameLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** Palo Alto external dynamic list of type domain: one name a line, which stands for itself unless the list says otherwise. */
export const paloDomain: FeedFormat = {
  name: 'palo-domain',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: NAME_TYPES,
  write: nameLines((name) => `${name}\n`),
}
