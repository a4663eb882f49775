import { describe, expect, test } from 'vitest'
import { AT, mapped } from '../../../../builders/feeds/mapped-lines.ts'

describe('Suricata', () => {
  const timestamp = '2026-01-31T12:30:00.123456+0000'
  const flow = { timestamp, flow_id: 1805463424634219, src_ip: '10.0.0.1', dest_ip: '198.51.100.7', dest_port: 53 }
  const ends = { src: '10.0.0.1', dst: '198.51.100.7' }

  test.each<[string, object, object]>([
    [
      'dns version 1, a query',
      { event_type: 'dns', dns: { type: 'query', rrname: 'bad.example.com', rrtype: 'A' } },
      { kind: 'dns', host: '10.0.0.1', fields: { query: 'bad.example.com' } },
    ],
    [
      'dns version 1, an answer',
      { event_type: 'dns', dns: { type: 'answer', rrname: 'bad.example.com', rdata: '198.51.100.9' } },
      { kind: 'dns', host: '10.0.0.1', fields: { query: 'bad.example.com', answers: ['198.51.100.9'] } },
    ],
    [
      'dns version 2',
      {
        event_type: 'dns',
        dns: {
          version: 2,
          type: 'answer',
          rrname: 'bad.example.com',
          answers: [{ rrname: 'bad.example.com', rrtype: 'CNAME', rdata: 'x.example.com' }],
          grouped: { CNAME: ['x.example.com'], A: ['198.51.100.9'] },
        },
      },
      {
        kind: 'dns',
        host: '10.0.0.1',
        fields: { query: 'bad.example.com', answers: ['x.example.com', '198.51.100.9'] },
      },
    ],
    [
      'dns version 3',
      {
        event_type: 'dns',
        dns: {
          version: 3,
          type: 'response',
          queries: [{ rrname: 'bad.example.com', rrtype: 'A' }],
          answers: [{ rrname: 'bad.example.com', rrtype: 'SRV', srv: { name: 's.example.com', port: 1 } }],
        },
      },
      { kind: 'dns', host: '10.0.0.1', fields: { query: 'bad.example.com', answers: ['s.example.com'] } },
    ],
    [
      'dns with glue, authorities and grouped SRV',
      {
        event_type: 'dns',
        dns: {
          version: 3,
          type: 'response',
          queries: [{ rrname: 'bad.example.com', rrtype: 'SRV' }],
          grouped: { SRV: [{ priority: 1, weight: 1, port: 443, name: 's.example.net' }] },
          authorities: [{ rrname: 'example.com', rrtype: 'NS', rdata: 'ns.example.net' }],
          additionals: [
            { rrname: 's.example.net', rrtype: 'A', rdata: '198.51.100.9' },
            { rrname: '', rrtype: 'OPT', opt: [] },
          ],
        },
      },
      {
        kind: 'dns',
        host: '10.0.0.1',
        fields: { query: 'bad.example.com', answers: ['ns.example.net', '198.51.100.9', 's.example.net'] },
      },
    ],
    [
      'http',
      { event_type: 'http', dest_port: 80, http: { hostname: 'bad.example.com', http_port: 8080, url: '/x' } },
      { kind: 'http', host: '10.0.0.1', fields: { url: 'http://bad.example.com:8080/x', hostname: 'bad.example.com' } },
    ],
    [
      'tls',
      {
        event_type: 'tls',
        dest_port: 443,
        tls: { sni: 'bad.example.com', ja3: { hash: 'a'.repeat(32), string: '771' } },
      },
      { kind: 'tls', host: '10.0.0.1', fields: { sni: 'bad.example.com', ja3: 'a'.repeat(32) } },
    ],
    ['flow', { event_type: 'flow', flow: { bytes_toclient: 1 } }, { kind: 'flow', host: '10.0.0.1', fields: {} }],
    [
      'fileinfo',
      {
        event_type: 'fileinfo',
        dest_port: 50123,
        http: { hostname: 'bad.example.com', url: '/x' },
        fileinfo: { md5: 'a'.repeat(32) },
      },
      { kind: 'file', fields: { url: 'http://bad.example.com/x', hostname: 'bad.example.com', md5: 'a'.repeat(32) } },
    ],
    [
      'alert',
      {
        event_type: 'alert',
        app_proto: 'dns',
        flow: { src_ip: '10.0.0.9', dest_ip: '198.51.100.7' },
        dns: { query: [{ type: 'query', rrname: 'bad.example.com' }] },
      },
      { kind: 'dns', host: '10.0.0.9', fields: { query: 'bad.example.com' } },
    ],
    [
      'alert on an answer',
      {
        event_type: 'alert',
        app_proto: 'dns',
        flow: { src_ip: '10.0.0.9' },
        dns: {
          answer: {
            rrname: 'bad.example.com',
            grouped: { A: ['198.51.100.9'] },
            additionals: [{ rrtype: 'A', rdata: '198.51.100.8' }],
          },
        },
      },
      {
        kind: 'dns',
        host: '10.0.0.9',
        fields: { query: 'bad.example.com', answers: ['198.51.100.8', '198.51.100.9'] },
      },
    ],
  ])('%s', (_, record, { fields, ...rest }: { fields?: object }) => {
    expect(mapped('eve', { ...flow, ...record })).toEqual([
      { at: AT, ref: '1805463424634219', ...rest, fields: { ...ends, ...fields } },
    ])
  })

  test('statistics have nothing to match', () => {
    expect(mapped('eve', { timestamp, event_type: 'stats', stats: { uptime: 1 } })).toEqual([])
  })
})
