import type { Mapping } from './mapping.ts'

/** The Elastic Common Schema, nested or with dotted names, as Beats, Elastic Agent, Logstash and Vector write it. */
export const ECS: Mapping = {
  at: ['@timestamp', 'event.created', 'event.start'],
  kind: [
    { path: 'dns.question.name', any: 'dns' },
    { path: 'network.protocol', kinds: { dns: 'dns', http: 'http', tls: 'tls', quic: 'tls', kerberos: 'auth' } },
    { path: 'event.category', kinds: { authentication: 'auth', web: 'http', file: 'file' } },
    { path: 'tls.client.server_name', any: 'tls' },
    { path: 'url.full', any: 'http' },
    { path: 'event.category', kinds: { network: 'flow', network_traffic: 'flow' } },
  ],
  host: ['host.name', 'host.hostname', 'agent.name'],
  user: ['user.name', 'source.user.name'],
  ref: ['event.id'],
  fields: {
    query: ['dns.question.name'],
    answers: ['dns.answers.data', 'dns.resolved_ip', 'dns.additionals.data'],
    src: ['source.ip', 'client.ip'],
    dst: ['destination.ip', 'server.ip'],
    url: ['url.full', 'url.original'],
    sni: ['tls.client.server_name'],
    hostname: ['url.domain', 'destination.domain', 'server.domain'],
    md5: ['file.hash.md5', 'process.hash.md5', 'dll.hash.md5'],
    sha1: ['file.hash.sha1', 'process.hash.sha1', 'dll.hash.sha1'],
    sha256: ['file.hash.sha256', 'process.hash.sha256', 'dll.hash.sha256'],
    ja3: ['tls.client.ja3'],
    email: ['email.from.address', 'email.sender.address'],
  },
  url: {
    scheme: ['url.scheme'],
    host: ['url.domain'],
    port: ['url.port'],
    path: ['url.path', 'url.original'],
    query: ['url.query'],
  },
}
