/**
 * The import walls of the tree: one row for each room. A room is a folder, or one file of it; a file belongs to the room
 * with the longest path that holds it. What a row does not allow is refused, by the linter (lint.ts) and by a test that
 * reads every import. A new room is a new row, and a page in docs/contribute/adr (ADR 285).
 */
export type Room = {
  path: string
  /** Files and folders of other rooms. `PORTS` stands for the port of every connector. A room reads its own sub-folders. */
  rooms?: readonly string[]
  /** Packages of npm, with all of their entry points. */
  packages?: readonly string[]
  /** Modules of Node without `node:`; in brackets the only names that may be taken of it. `*`: all of them. */
  node?: readonly string[]
}

/** A port says what a connector does, in types and classes of errors: `connectors/<room>/.../port.ts`. */
export const PORTS = 'connectors/**/port.ts'

const PURE = ['crypto', 'buffer']
const ALL = ['*']
const SERVER_PACKAGES = ['koa', '@koa/router', 'koa-send', 'send', 'typebox', 'pino', 'ipaddr.js']
const MANTINE = ['@mantine/core', '@mantine/notifications', '@tabler/icons-react']
const ATLAS = ['topojson-client', 'topojson-specification', 'world-atlas']
const REACT = ['react', '@tanstack/react-query', 'wouter', ...MANTINE]

/** What every area of the API stands on. */
const area = (path: string, rooms: readonly string[], node: readonly string[] = PURE): Room => ({
  path,
  rooms: ['api/http', 'api/ports.ts', 'platform', 'schemas', PORTS, ...rooms],
  packages: ['typebox'],
  node,
})

/** A connector: its outside thing, through its client library. */
const connector = (path: string, rooms: readonly string[], packages: readonly string[] = []): Room => ({
  path: `connectors/${path}`,
  rooms: ['platform', ...rooms],
  packages,
  node: ALL,
})

const pipeline = (path: string, rooms: readonly string[], node: readonly string[] = PURE): Room => ({
  path: `pipelines/${path}`,
  rooms: ['platform', 'schemas', PORTS, ...rooms],
  packages: ['pino'],
  node: [...node, 'timers/promises'],
})

export const ROOMS: readonly Room[] = [
  // The program itself: its settings, its metrics, waiting and trying again. Knows nothing of intelligence.
  { path: 'platform', packages: ['typebox', 'lru-cache'], node: [...PURE, 'timers/promises'] },

  // What the words mean. Pure: the same input gives the same answer, on every machine and in a browser.
  { path: 'schemas/log', packages: ['avsc'], node: PURE },
  {
    path: 'schemas/log/records.ts',
    rooms: ['schemas/log/topics.ts', 'schemas/log/text-type.ts'],
    packages: ['avsc'],
    node: ['fs(readFileSync)'],
  },
  {
    path: 'schemas/intelligence',
    rooms: ['schemas/log'],
    packages: ['ipaddr.js', 'tldts', 'typebox', 're2js'],
    node: [...PURE, 'net(isIPv6)', 'url(domainToASCII)', 'util(MIMEType)'],
  },
  { path: 'schemas/network', rooms: ['schemas/intelligence'], packages: ['ipaddr.js'], node: ['net(isIP)'] },
  { path: 'schemas/cursors', node: PURE },
  { path: 'schemas/audit', rooms: ['schemas/accounts', 'schemas/cursors'], node: PURE },
  { path: 'schemas/feeds-out', rooms: ['schemas/cursors', 'schemas/intelligence'], node: PURE },
  { path: 'schemas/live', rooms: ['schemas/cursors', 'schemas/intelligence'], node: PURE },
  {
    path: 'schemas/match',
    rooms: ['schemas/cursors', 'schemas/intelligence', 'schemas/log'],
    packages: ['ipaddr.js', 'tldts'],
    node: PURE,
  },
  {
    path: 'schemas/feeds-out/formats',
    rooms: ['schemas/exchange', 'schemas/intelligence'],
    packages: ['ipaddr.js', 'tldts'],
    node: PURE,
  },
  {
    path: 'schemas/exchange',
    rooms: ['schemas/intelligence', 'schemas/feeds-out/formats/exchange/uuid.ts', 'schemas/feeds-out/formats/text'],
    node: [...PURE, 'url(domainToUnicode)'],
  },
  { path: 'schemas/scans', rooms: ['schemas/intelligence', 'schemas/network'], node: PURE },
  {
    path: 'schemas/accounts',
    rooms: ['schemas/intelligence', 'schemas/log/topics.ts'],
    packages: ['typebox'],
    node: PURE,
  },
  { path: 'schemas/casework', rooms: ['schemas/intelligence'], node: PURE },
  { path: 'schemas/casework/deliveries', rooms: ['schemas/intelligence', 'schemas/scans'], node: PURE },
  { path: 'schemas/assistants', rooms: ['schemas/casework/deliveries/defang.ts'], node: ['buffer'] },
  { path: 'schemas/console-pages.ts' },
  { path: 'schemas/operation', rooms: ['schemas/log', 'schemas/accounts'] },

  // One folder for each outside thing. Only here are sockets, files and client libraries.
  connector('availability', []),
  connector('data-folder', []),
  connector('metrics', [], ['prom-client']),
  connector('mail', [], ['nodemailer']),
  connector('geo', ['schemas/intelligence'], ['ipaddr.js', 'mmdb-lib', '@ip-location-db']),
  connector('payments', ['schemas/accounts'], ['stripe']),
  connector('oidc', ['schemas/accounts'], ['jose', 'openid-client']),
  connector('log', ['connectors/availability', 'connectors/data-folder'], ['kafkajs', 'lmdb', 'snappyjs']),
  connector(
    'registry',
    ['connectors/log'],
    ['@kafkajs/confluent-schema-registry', '@koa/bodyparser', '@koa/router', 'avsc', 'koa'],
  ),
  connector('operations', [
    'connectors/log',
    'connectors/registry/port.ts',
    'schemas/intelligence',
    'schemas/log',
    'schemas/match',
    'schemas/operation',
  ]),
  connector('network', ['schemas/intelligence', 'schemas/network', 'schemas/scans'], ['ipaddr.js']),
  { path: 'connectors/network/scanner/facts', rooms: ['connectors/network/scanner/port.ts', 'schemas'] },
  connector('receivers', ['connectors/mail/port.ts', 'connectors/network/requests/port.ts', 'schemas/casework']),
  connector('feed-files', ['schemas/feeds-out/formats', 'connectors/history/feeds-out/list-rows.ts']),
  connector('feeds', ['schemas/network'], ['csv-parse', 'ipaddr.js']),
  { path: 'connectors/feeds/parse', rooms: ['schemas/exchange', 'schemas/intelligence'] },
  connector(
    'postgres',
    ['connectors/availability', 'connectors/data-folder', 'connectors/payments/port.ts', 'schemas'],
    ['kysely', 'pg', '@electric-sql/pglite', 'lru-cache'],
  ),
  connector(
    'history',
    [
      'connectors/availability',
      'schemas/audit',
      'schemas/exchange/stix/item.ts',
      'schemas/feeds-out',
      'schemas/intelligence',
      'schemas/match',
    ],
    ['@clickhouse/client', 'chdb', 'lru-cache'],
  ),
  // A feed answered next to the sensor (ADR 289).
  {
    path: 'edge/answers',
    rooms: ['connectors/edge-list/port.ts', 'schemas/intelligence'],
    node: ['buffer'],
  },
  { path: 'edge/follow', rooms: ['connectors/edge-list/port.ts', 'connectors/feed-client/port.ts'], node: [] },
  {
    path: 'edge/listeners',
    rooms: [
      'edge/answers/port.ts',
      'edge/follow/files.ts',
      'edge/protocols/session.ts',
      'api/http/answers',
      'api/http/bodies',
      'api/http/errors.ts',
      'api/intelligence/services/bulk/line-places.ts',
      'api/intelligence/services/reputation/read-ahead.ts',
      'api/intelligence/services/reputation/value-lines.ts',
    ],
    node: ALL,
  },
  connector(
    'edge-list',
    ['connectors/lmdb', 'edge/answers/port.ts', 'schemas/feeds-out', 'schemas/intelligence'],
    ['lmdb'],
  ),
  connector('feed-client', ['connectors/edge-list/port.ts']),
  connector('lmdb', ['connectors/data-folder'], ['lmdb']),
  connector(
    'lookups',
    ['connectors/data-folder', 'connectors/history', 'connectors/lmdb', 'schemas/intelligence'],
    ['lmdb'],
  ),
  {
    path: 'connectors/history/sql',
    rooms: [
      'connectors/history/port.ts',
      'schemas/audit',
      'schemas/feeds-out',
      'schemas/intelligence',
      'schemas/match',
    ],
  },

  // log -> log and log -> history. Knows ports; the rules are pure and alone.
  { path: 'pipelines/processors', rooms: ['schemas'], node: PURE },
  { ...pipeline('runtime', []), packages: ['pino', 'avsc'] },
  pipeline('jobs', ['pipelines/processors', 'pipelines/runtime']),
  pipeline('rebuild', ['pipelines/processors', 'pipelines/runtime', 'pipelines/jobs']),
  pipeline('rescore', ['pipelines/processors', 'pipelines/runtime', 'pipelines/jobs']),
  pipeline('retract', ['pipelines/processors', 'pipelines/runtime']),
  pipeline(
    'import',
    ['pipelines/retract', 'pipelines/runtime', 'connectors/feeds/parse'],
    [...PURE, 'fs/promises', 'path'],
  ),
  pipeline('demo', ['pipelines/runtime', 'pipelines/import']),

  // Requests and answers. Meets the pipelines in schemas/ and in the tables.
  {
    path: 'api/http',
    rooms: ['platform', 'schemas', PORTS],
    packages: [...SERVER_PACKAGES, 'lru-cache', 'ws'],
    node: [...PURE, 'http', 'net', 'fs', 'path', 'timers/promises'],
  },
  {
    path: 'api/openapi',
    rooms: ['api/http', 'schemas'],
    packages: ['typebox', 'swagger-ui-dist'],
    node: ['fs/promises', 'module', 'path'],
  },
  {
    ...area(
      'api/intelligence',
      ['connectors/history/sql', 'connectors/history/stores/shared-rows.ts'],
      [...PURE, 'os', 'timers/promises'],
    ),
    packages: ['typebox', 'lru-cache'],
  },
  area('api/accounts', []),
  area('api/scans', ['api/intelligence']),
  area('api/casework', ['api/accounts', 'api/scans']),
  {
    ...area('api/exchange', [
      'api/feeds-out/services',
      'api/intelligence/services/report',
      'api/intelligence/services/fair-queue.ts',
      'connectors/feeds/parse',
    ]),
    node: [...PURE, 'timers/promises'],
  },
  area('api/feeds-out', ['api/accounts', 'api/intelligence/services/fair-queue.ts']),
  {
    ...area('api/live', ['api/intelligence/services'], [...PURE, 'timers/promises']),
    packages: ['typebox', 'lru-cache'],
  },
  { ...area('api/match', ['api/intelligence/services/fair-queue.ts']), node: [...PURE, 'timers/promises'] },
  area('api/operation', []),
  { ...area('api/assistants', []), packages: ['typebox', '@modelcontextprotocol/server'] },
  { path: 'api', rooms: ['platform', 'schemas', PORTS], packages: ['koa', 'pino'] },

  // A feed answered next to the sensor (decisions 19). Each protocol is bytes in, bytes out.
  { path: 'edge/answers/port.ts' },
  { path: 'edge/protocols/session.ts', node: ['buffer'] },
  {
    path: 'edge/protocols/dns',
    rooms: ['edge/answers/port.ts', 'edge/protocols/session.ts'],
    packages: ['dns-packet'],
    node: ['buffer'],
  },
  // Next to a sensor: one feed, answered in the protocols of others. A session is bytes in and bytes out, without a socket.
  { path: 'edge/protocols', rooms: ['edge/answers/port.ts'], node: PURE },

  // The program: what runs (roles), over what (wiring), and what an operator types (commands).
  {
    path: 'cli/wiring',
    rooms: ['api', 'connectors', 'pipelines', 'platform', 'schemas'],
    packages: ['pino', 'kysely'],
    node: ALL,
  },
  {
    path: 'cli/roles',
    rooms: ['cli/wiring', 'connectors', 'pipelines', 'platform', 'schemas'],
    packages: ['pino'],
    node: ALL,
  },
  {
    path: 'cli/commands',
    rooms: ['cli/wiring', 'connectors', 'edge', 'pipelines', 'platform', 'schemas'],
    packages: ['commander', 'kysely', 'pino', 'avsc', 'cli-progress'],
    node: ALL,
  },
  { path: 'cli', rooms: ['platform'], packages: ['commander'], node: ALL },
  { path: 'bin', rooms: ['cli/main.ts'], packages: ['rolldown'], node: ALL },

  // The browser. Knows the public API and the pure rules that it shares with the server.
  { path: 'console/src/session', rooms: ['console/src/api'], packages: REACT },
  {
    path: 'console/src/api',
    rooms: ['console/src/session'],
    packages: [...REACT, 'openapi-fetch', 'openapi-react-query'],
  },
  {
    path: 'console/src/parts',
    rooms: ['console/src/api', 'console/src/session', 'schemas'],
    packages: [...REACT, '@mantine/hooks', 'echarts'],
  },
  {
    path: 'console/src/pages',
    rooms: ['console/src/api', 'console/src/parts', 'console/src/session', 'console/src/shell', 'schemas'],
    packages: [...REACT, '@mantine/form', '@mantine/hooks', 'csv-parse', 'echarts', 'tldts', 'jsonc-parser'],
  },
  {
    path: 'console/src/shell',
    rooms: ['console/src/api', 'console/src/pages', 'console/src/parts', 'console/src/session', 'schemas'],
    packages: [...REACT, '@mantine/hooks'],
  },
  { path: 'console/src', packages: [...REACT, 'react-dom'] },
  { path: 'console', packages: ['vite', '@vitejs/plugin-react'], node: ALL },

  // Run by hand or by CI; never imported by the product.
  { path: 'infra/world', rooms: ['console/src/pages'], packages: ATLAS, node: ALL },
  { path: 'infra', node: ALL },
]
