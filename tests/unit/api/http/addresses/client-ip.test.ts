import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientIp } from '../../../../../api/http/addresses/client-ip.ts'

const request = (peer: string, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

const cases: { name: string; hops: number; peer: string; forwarded?: string; want: string }[] = [
  { name: 'the peer, without proxies', hops: 0, peer: '192.0.2.1', forwarded: '198.51.100.7', want: '192.0.2.1' },
  { name: 'the peer, when nothing was forwarded', hops: 1, peer: '192.0.2.1', want: '192.0.2.1' },
  { name: 'what the proxy saw', hops: 1, peer: '10.0.0.1', forwarded: '198.51.100.7', want: '198.51.100.7' },
  {
    name: 'never the own words of a client',
    hops: 1,
    peer: '10.0.0.1',
    forwarded: '203.0.113.9, 198.51.100.7',
    want: '198.51.100.7',
  },
  {
    name: 'what the outer of two proxies saw',
    hops: 2,
    peer: '10.0.0.1',
    forwarded: '203.0.113.9, 198.51.100.7, 10.0.0.2',
    want: '198.51.100.7',
  },
  {
    name: 'the peer, when the chain is too short',
    hops: 3,
    peer: '10.0.0.1',
    forwarded: '198.51.100.7',
    want: '10.0.0.1',
  },
  { name: 'the peer, when the chain is no address', hops: 1, peer: '10.0.0.1', forwarded: 'unknown', want: '10.0.0.1' },
  { name: 'IPv4 of a dual-stack socket as IPv4', hops: 0, peer: '::ffff:192.0.2.1', want: '192.0.2.1' },
  {
    name: 'what the proxy saw with its port',
    hops: 1,
    peer: '10.0.0.1',
    forwarded: '203.0.113.9, 198.51.100.7:5678',
    want: '198.51.100.7',
  },
  { name: 'IPv6 with its port', hops: 1, peer: '10.0.0.1', forwarded: '[2001:db8::1]:5678', want: '2001:db8::1' },
  { name: 'IPv6 in brackets', hops: 1, peer: '10.0.0.1', forwarded: '[2001:db8::1]', want: '2001:db8::1' },
  {
    name: 'IPv4 in IPv6 with its port',
    hops: 1,
    peer: '10.0.0.1',
    forwarded: '[::ffff:192.0.2.1]:5678',
    want: '192.0.2.1',
  },
  { name: 'IPv6', hops: 1, peer: '::1', forwarded: '2001:db8::1', want: '2001:db8::1' },
]
for (const { name, hops, peer, forwarded, want } of cases) {
  test(`the client is ${name}`, () => expect(clientIp(request(peer, forwarded), hops)).toBe(want))
}
