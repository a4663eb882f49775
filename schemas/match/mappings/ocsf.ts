import type { Mapping } from './mapping.ts'

/** The hash of a file by the number of its function in OCSF, and by its name: some writers leave the number out. */
const hashes = (algorithm: number, name: string): string[] =>
  ['file', 'process.file', 'actor.process.file'].flatMap((file) =>
    ['hashes', 'fingerprints'].flatMap((list) => [
      `${file}.${list}.[algorithm_id=${algorithm}].value`,
      `${file}.${list}.[algorithm~${name}].value`,
    ]),
  )

/** The Open Cybersecurity Schema Framework: activity of DNS, HTTP, the network and files, authentication, mail. */
export const OCSF: Mapping = {
  at: ['time', 'time_dt'],
  kind: [
    {
      path: 'class_uid',
      kinds: { '4003': 'dns', '4002': 'http', '4001': 'flow', '4010': 'file', '1001': 'file', '3002': 'auth' },
    },
  ],
  host: ['device.hostname', 'device.name', 'src_endpoint.hostname'],
  user: ['user.name', 'actor.user.name'],
  ref: ['metadata.uid'],
  fields: {
    query: ['query.hostname'],
    answers: ['answers.rdata'],
    src: ['src_endpoint.ip'],
    dst: ['dst_endpoint.ip'],
    url: ['http_request.url.url_string', 'url.url_string'],
    sni: ['tls.sni'],
    hostname: ['http_request.url.hostname', 'dst_endpoint.hostname', 'dst_endpoint.domain'],
    md5: hashes(1, 'md5'),
    sha1: hashes(2, 'sha1'),
    sha256: hashes(3, 'sha256'),
    ja3: ['tls.ja3_hash.value'],
    email: ['email.from'],
  },
  url: {
    scheme: ['http_request.url.scheme'],
    host: ['http_request.url.hostname'],
    port: ['http_request.url.port'],
    path: ['http_request.url.path'],
    query: ['http_request.url.query_string'],
  },
}
