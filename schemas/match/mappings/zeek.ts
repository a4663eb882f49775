import type { Mapping } from './mapping.ts'

// Logs of Zeek with tabs: `#fields` and `#types` name the columns of the lines that follow.

/** A record with the names of columns; a reason why a line is none; null for a line of the header. */
type TsvLine = { record: Readonly<Record<string, string | string[]>> } | { reason: string } | null

type Header = {
  separator: string
  setSeparator: string
  unset: string
  empty: string
  path: string
  fields: readonly string[]
  types: readonly string[]
}

const DEFAULTS: Header = {
  separator: '\t',
  setSeparator: ',',
  unset: '-',
  empty: '(empty)',
  path: '',
  fields: [],
  types: [],
}

/** Bytes that Zeek cannot print, and its separators within values. */
const ESCAPES = /(?:\\x[0-9a-fA-F]{2})+/g

const unescaped = (text: string): string =>
  text.includes('\\x')
    ? text.replace(ESCAPES, (run) => Buffer.from(run.replaceAll('\\x', ''), 'hex').toString('utf8'))
    : text

/** Reads one log after the other; each begins with its own header. Never throws. */
export function zeekTsv(): (line: string) => TsvLine {
  let header = DEFAULTS
  return (line) => {
    if (line.startsWith('#')) {
      header = withLine(header, line)
      return null
    }
    const { fields, types } = header
    if (fields.length === 0) return { reason: 'no #fields before it' }
    const columns = line.split(header.separator)
    if (columns.length !== fields.length)
      return { reason: `has ${columns.length} columns, and #fields has ${fields.length}` }
    // The names of columns may be any.
    const record: Record<string, string | string[]> = Object.assign(Object.create(null), { _path: header.path })
    for (const [at, name] of fields.entries()) {
      const text = columns[at]!
      if (text === header.unset || text === header.empty) continue
      // Sets are split before their values are read, since a separator in a value is escaped.
      record[name] = /^(?:set|vector)\[/.test(types[at] ?? '')
        ? text.split(header.setSeparator).map(unescaped)
        : unescaped(text)
    }
    return { record }
  }
}

function withLine(header: Header, line: string): Header {
  if (line.startsWith('#separator ')) return { ...DEFAULTS, separator: unescaped(line.slice('#separator '.length)) }
  const [name, ...rest] = line.split(header.separator)
  const [text = ''] = rest
  if (name === '#set_separator') return { ...header, setSeparator: unescaped(text) }
  if (name === '#unset_field') return { ...header, unset: text }
  if (name === '#empty_field') return { ...header, empty: text }
  if (name === '#path') return { ...header, path: text }
  if (name === '#fields') return { ...header, fields: rest, types: [] }
  return name === '#types' ? { ...header, types: rest } : header
}

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
