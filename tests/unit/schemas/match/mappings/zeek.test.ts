import { describe, expect, test } from 'vitest'
import { AT, mapped } from '../../../../builders/feeds/mapped-lines.ts'

describe('Zeek', () => {
  const header = [
    '#separator \\x09',
    '#set_separator\t,',
    '#empty_field\t(empty)',
    '#unset_field\t-',
    '#path\tdns',
    '#open\t2026-01-31-12-00-00',
    '#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tquery\tanswers',
    '#types\ttime\tstring\taddr\tport\taddr\tport\tstring\tvector[string]',
  ]

  test('lines with tabs have the columns of their header', () => {
    const rows = [
      '1769862600.123456\tC1\t10.0.0.1\t5353\t198.51.100.53\t53\tbad.example.com\tx.example.com,198.51.100.7',
      '1769862600.123456\tC2\t10.0.0.1\t5353\t198.51.100.53\t53\t-\t(empty)',
      '1769862600.123456\tC3\t-\t-\t-\t-\ta\\x2cb.example\tone\\x2cand\\x09two,\\xc3\\xa9',
      '1769862600.123456\tC4\t-\t-\t-\t-\t-\t-',
    ]
    const around = { at: AT, kind: 'dns', host: '10.0.0.1' }
    const ends = { src: '10.0.0.1', dst: '198.51.100.53' }
    expect(mapped('zeek', ...header, ...rows, '#close\t2026-01-31-13-00-00')).toEqual([
      {
        ...around,
        ref: 'C1',
        fields: { query: 'bad.example.com', answers: ['x.example.com', '198.51.100.7'], ...ends },
      },
      { ...around, ref: 'C2', fields: ends },
      { at: AT, kind: 'dns', ref: 'C3', fields: { query: 'a,b.example', answers: ['one,and\ttwo', 'é'] } },
    ])
  })

  test('a line that does not fit its header is bad', () => {
    expect(mapped('zeek', '1\t2', ...header, '1\t2', 'x')).toEqual([
      'no #fields before it',
      'has 2 columns, and #fields has 8',
      'has 1 columns, and #fields has 8',
    ])
  })

  test('another header is for the lines after it', () => {
    const other = ['#separator |', '#path|files', '#fields|ts|fuid|md5|__proto__', '#types|time|string|string|string']
    expect(mapped('zeek', ...header, ...other, `1769862600.123|F1|${'a'.repeat(32)}|x`)).toEqual([
      { at: AT, kind: 'file', ref: 'F1', fields: { md5: 'a'.repeat(32) } },
    ])
  })

  const ts = AT / 1000
  const conn = { ts, uid: 'C1', 'id.orig_h': '10.0.0.1', 'id.resp_h': '198.51.100.7' }
  const around = { at: AT, host: '10.0.0.1', ref: 'C1' }
  const ends = { src: '10.0.0.1', dst: '198.51.100.7' }

  test.each<[string, object, object]>([
    [
      'dns',
      { ...conn, query: 'bad.example.com', answers: ['198.51.100.7'] },
      { kind: 'dns', fields: { query: 'bad.example.com', answers: ['198.51.100.7'] } },
    ],
    [
      'http',
      { ...conn, 'id.resp_p': 8080, host: 'bad.example.com', uri: '/x?y', username: 'ann' },
      { kind: 'http', user: 'ann', fields: { url: 'http://bad.example.com:8080/x?y', hostname: 'bad.example.com' } },
    ],
    [
      'http without a host',
      { ...conn, 'id.resp_p': 80, uri: '/x' },
      { kind: 'http', fields: { url: 'http://198.51.100.7:80/x' } },
    ],
    [
      'http through a proxy',
      { ...conn, 'id.resp_p': 3128, host: 'bad.example.com', uri: 'http://bad.example.com/x' },
      { kind: 'http', fields: { url: 'http://bad.example.com/x', hostname: 'bad.example.com' } },
    ],
    [
      'CONNECT',
      { ...conn, 'id.resp_p': 3128, host: 'bad.example.com', uri: 'bad.example.com:443' },
      { kind: 'http', fields: { hostname: 'bad.example.com' } },
    ],
    [
      'ssl',
      { ...conn, server_name: 'bad.example.com', ja3: 'a'.repeat(32) },
      { kind: 'tls', fields: { sni: 'bad.example.com', ja3: 'a'.repeat(32) } },
    ],
    ['conn', { ...conn, conn_state: 'SF' }, { kind: 'flow', fields: {} }],
    ['files', { ...conn, fuid: 'F1', sha256: 'b'.repeat(64) }, { kind: 'file', fields: { sha256: 'b'.repeat(64) } }],
    [
      'kerberos',
      { ...conn, request_type: 'AS', client: 'ann/EXAMPLE.COM' },
      { kind: 'auth', user: 'ann/EXAMPLE.COM', fields: {} },
    ],
    ['ntlm', { ...conn, _path: 'ntlm', username: 'ann' }, { kind: 'auth', user: 'ann', fields: {} }],
    ['ssh', { ...conn, client: 'SSH-2.0-OpenSSH_9.6' }, { fields: {} }],
    ['smtp', { ...conn, mailfrom: 'ann@example.com' }, { fields: { email: 'ann@example.com' } }],
  ])('JSON of %s', (_, record, { fields, ...rest }: { fields?: object }) => {
    expect(mapped('zeek', record)).toEqual([{ ...around, ...rest, fields: { ...ends, ...fields } }])
  })
})
