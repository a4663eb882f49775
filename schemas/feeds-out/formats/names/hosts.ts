import type { FeedFormat } from '../format.ts'
import { blockingLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** A file in the form of `/etc/hosts`: each name, and no name below it, leads to no address. */
export const hosts: FeedFormat = {
  name: 'hosts',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: 'dnsmasq',
  types: NAME_TYPES,
  write: blockingLines((name) => `0.0.0.0 ${name}\n`),
}
