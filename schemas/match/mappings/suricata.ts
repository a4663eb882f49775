import type { Mapping } from './mapping.ts'

/** Answers as a dns record of versions 2 and 3 has them, and as an alert has them under `dns.answer`. */
const answersUnder = (dns: string): string[] => [
  ...['answers', 'authorities', 'additionals'].flatMap((part) => [
    `${dns}.${part}.rdata`,
    `${dns}.${part}.srv.name`,
    `${dns}.${part}.soa.mname`,
  ]),
  ...['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'SRV.name'].map((type) => `${dns}.grouped.${type}`),
]

/**
 * EVE of Suricata: dns of versions 1 (a record per answer), 2 (a record per response) and 3 (`queries`), http, tls, quic,
 * flow, fileinfo, krb5, smtp, and alerts, which have the same objects of their protocol.
 */
export const SURICATA: Mapping = {
  at: ['timestamp'],
  kind: [
    {
      path: 'event_type',
      kinds: {
        dns: 'dns',
        http: 'http',
        tls: 'tls',
        quic: 'tls',
        flow: 'flow',
        netflow: 'flow',
        fileinfo: 'file',
        krb5: 'auth',
      },
    },
    { path: 'app_proto', kinds: { dns: 'dns', http: 'http', http2: 'http', tls: 'tls', quic: 'tls', krb5: 'auth' } },
  ],
  // The machine that asked. Responses and files have the server as their source.
  host: [
    'flow.src_ip',
    ...['http', 'tls', 'quic', 'flow', 'krb5', 'smtp'].map((type) => `[event_type=${type}].src_ip`),
    '[dest_port=53].src_ip',
    '[src_port=53].dest_ip',
  ],
  user: ['krb5.cname', 'smb.ntlmssp.user'],
  ref: ['flow_id'],
  fields: {
    query: ['dns.rrname', 'dns.queries.rrname', 'dns.query.rrname', 'dns.answer.rrname', 'dns.answer.queries.rrname'],
    answers: ['dns.rdata', ...answersUnder('dns'), ...answersUnder('dns.answer')],
    src: ['src_ip'],
    dst: ['dest_ip'],
    url: [],
    sni: ['tls.sni', 'quic.sni'],
    hostname: ['http.hostname'],
    md5: ['fileinfo.md5', 'files.md5'],
    sha1: ['fileinfo.sha1', 'files.sha1'],
    sha256: ['fileinfo.sha256', 'files.sha256'],
    ja3: ['tls.ja3.hash', 'quic.ja3.hash'],
    email: ['smtp.mail_from', 'email.from'],
  },
  // The port is there when the request named one.
  url: { scheme: [], host: ['http.hostname'], port: ['http.http_port'], path: ['http.url'], query: [] },
}
