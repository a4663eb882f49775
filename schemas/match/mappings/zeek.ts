import type { Mapping } from './mapping.ts'

/**
 * The logs of Zeek, as lines of JSON or of tabs (zeek-tsv.ts): dns, http, ssl, conn, files, kerberos, ntlm and smtp; of all
 * others the addresses. No two of these logs use one name for different things, so one table reads them all. `_path` names
 * the log in those of tabs, and in JSON that is written for shipping; else the columns tell.
 */
export const ZEEK: Mapping = {
  at: ['ts'],
  kind: [
    {
      path: '_path',
      kinds: { dns: 'dns', http: 'http', ssl: 'tls', conn: 'flow', files: 'file', kerberos: 'auth', ntlm: 'auth' },
    },
    { path: 'query', any: 'dns' },
    { path: 'uri', any: 'http' },
    { path: 'server_name', any: 'tls' },
    { path: 'conn_state', any: 'flow' },
    { path: 'request_type', any: 'auth' },
    { path: 'domainname', any: 'auth' },
    { path: 'fuid', any: 'file' },
  ],
  // The machine that opened the connection.
  host: ['id.orig_h', 'tx_hosts'],
  user: ['username', '[request_type].client', 'user'],
  ref: ['uid', 'conn_uids', 'fuid'],
  fields: {
    query: ['query'],
    answers: ['answers'],
    src: ['id.orig_h', 'tx_hosts'],
    dst: ['id.resp_h', 'rx_hosts'],
    url: ['url'],
    sni: ['server_name'],
    hostname: ['[uri].host'],
    md5: ['md5'],
    sha1: ['sha1'],
    sha256: ['sha256'],
    ja3: ['ja3'],
    email: ['mailfrom'],
  },
  // Zeek takes the port off the host.
  url: { scheme: [], host: ['[uri].host', '[uri].id.resp_h'], port: ['id.resp_p'], path: ['uri'], query: [] },
}
