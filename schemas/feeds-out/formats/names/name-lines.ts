import type { FeedFormat } from '../format.ts'
import { blockingLines, coveringLines, nameLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** Configuration of Unbound, to be included: the name and all below it do not exist. */
export const unbound: FeedFormat = {
  name: 'unbound',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'conf',
  readBy: 'unbound',
  types: NAME_TYPES,
  write: coveringLines({
    begin: () => 'server:\n',
    lineOf: (name) => `  local-zone: "${name}." always_nxdomain\n`,
  }),
}

/** Configuration of dnsmasq: the name and all below it do not exist (`local` without a server: NXDOMAIN). */
export const dnsmasq: FeedFormat = {
  name: 'dnsmasq',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'conf',
  readBy: 'dnsmasq',
  types: NAME_TYPES,
  write: coveringLines({ lineOf: (name) => `local=/${name}/\n` }),
}

/** A file in the form of `/etc/hosts`: each name, and no name below it, leads to no address. */
export const hosts: FeedFormat = {
  name: 'hosts',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: 'dnsmasq',
  types: NAME_TYPES,
  write: blockingLines((name) => `0.0.0.0 ${name}\n`),
}

/** FortiGate external resource of type domain: one name a line. */
export const fortinetDomain: FeedFormat = {
  name: 'fortinet-domain',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: NAME_TYPES,
  write: nameLines((name) => `${name}\n`),
}

/** Palo Alto external dynamic list of type domain: one name a line, which stands for itself unless the list says otherwise. */
export const paloDomain: FeedFormat = {
  name: 'palo-domain',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: NAME_TYPES,
  write: nameLines((name) => `${name}\n`),
}
