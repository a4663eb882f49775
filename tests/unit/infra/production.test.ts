import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { harrier } from '../../../cli/program.ts'
import { statements } from '../../../connectors/history/migrations/macros.ts'
import { loadConfig } from '../../../platform/config.ts'
import { HEAP_OF_API, HEAP_OF_JOBS } from '../../../platform/heap.ts'
import { GROUPS, topics } from '../../../schemas/log/topics.ts'
import { envFile, exists, infra, infraFiles, memoryIn, memoryOf, VARIABLES } from '../../builders/infra/manifests.ts'
import { complaints, nginxConfig, startProxy } from '../../builders/infra/proxy.ts'

const ROLES = ['api', 'observe', 'follow', 'scan-worker', 'lifecycle']
const { env, stdin, stdout, stderr } = process
const commands = (await harrier({ env, stdin, stdout, stderr, signal: new AbortController().signal })).commands.map(
  (command) => command.name(),
)
const heapOf = (role: string): readonly string[] =>
  role === 'api' ? HEAP_OF_API : ['observe', 'follow'].includes(role) ? HEAP_OF_JOBS : []
/** Read by Node itself. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_ENV']

const secrets = Object.fromEntries(
  Object.entries(envFile('production/env/secrets.env.example')).map(([name, value]) => [
    name,
    value === '' ? 'secret-of-sixteen-letters' : value.replace('PASSWORD', 'abc'),
  ]),
)

describe.each(ROLES)('%s', (role) => {
  const variables = { ...envFile('production/env/common.env'), ...secrets, ...envFile(`production/env/${role}.env`) }
  const unit = infra(`production/systemd/harrier-${role}@.service`)

  test('has files of variables that there are, which make a configuration without embedded stores', () => {
    expect(memoryIn(variables)).toEqual(memoryOf(role))
    const known = (name: string): boolean => VARIABLES.has(name) || OF_NODE.includes(name) || name in memoryOf(role)
    expect(Object.keys(variables).filter((name) => !known(name))).toEqual([])
    const config = loadConfig(variables)
    expect(config.kafkaBrokers).toHaveLength(3)
    expect(config.kafkaSecurity).toMatchObject({ tls: true, sasl: { mechanism: 'scram-sha-512' } })
    for (const url of [config.schemaRegistryUrl, config.clickhouseUrl, config.databaseUrl]) expect(url).not.toBeNull()
    expect(config.clickhouseUrl).toMatch(/^https:/)
    expect(config.databaseUrl).toMatch(/sslmode=verify-full$/)
    expect([role, config.trustedProxies]).toEqual([role, role === 'api' ? 1 : 0])
    expect([role, config.clickhouseCluster]).toEqual([role, ['api', 'follow'].includes(role) ? 'harrier' : null])
  })

  test('has a unit that starts it again, lets it end, and shuts it in', () => {
    const [, flags, started] = /^ExecStart=\/usr\/bin\/node (.*)\/opt\/harrier\/bin\/harrier\.js (\S+)$/m.exec(unit)!
    expect(started).toBe(role)
    expect(commands).toContain(started)
    expect(flags!.trim()).toBe(heapOf(role).join(' '))
    expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)![1])).toBeGreaterThanOrEqual(15)
    for (const line of ['Restart=always', 'User=harrier', 'NoNewPrivileges=yes', 'ProtectSystem=strict'])
      expect(unit.split('\n')).toContain(line)
    for (const [, file] of unit.matchAll(/^EnvironmentFile=\/etc\/harrier\/(\S+)$/gm))
      expect(exists(`infra/production/env/${file}`) || exists(`infra/production/env/${file}.example`)).toBe(true)
    for (const [, name] of unit.matchAll(/([A-Z_]{4,})=%i/g)) expect(VARIABLES.has(name!)).toBe(true)
    // Compiled code is written and run at once; a rule against that would end Node.
    expect(unit).not.toContain('MemoryDenyWriteExecute')
  })
})

test('the unit of one machine starts the whole platform, is started again, and is shut in as the others are', () => {
  const unit = infra('production/systemd/harrier.service')
  expect(unit).toMatch(
    new RegExp(`^ExecStart=/usr/bin/node ${HEAP_OF_API.join(' ')} /opt/harrier/bin/harrier\\.js up$`, 'm'),
  )
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)![1])).toBeGreaterThanOrEqual(15)
  for (const line of ['Restart=always', 'User=harrier', 'NoNewPrivileges=yes', 'ProtectSystem=strict'])
    expect(unit.split('\n')).toContain(line)
  expect(unit).toContain('HARRIER_DATA_DIR=/var/lib/harrier\n')
  expect(unit).toContain('StateDirectory=harrier\n')
})

test('whatever else starts the API gives it the same heap', () => {
  const root = (path: string): string =>
    readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  expect(JSON.parse(root('package.json')).scripts.start).toContain(`node ${HEAP_OF_API.join(' ')} bin/harrier.js up`)
  const [, entry] = /^ENTRYPOINT (.*)$/m.exec(root('Dockerfile'))!
  expect(JSON.parse(entry!)).toEqual(['node', ...HEAP_OF_API, 'bin/harrier.js'])
})

test('every unit that the documents name to systemctl or journalctl is there', () => {
  const units = infraFiles('production/systemd', '.service').map((file) => file.replace(/^.*\//, ''))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs', 'infra', '*.md'], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    encoding: 'utf8',
  }).split('\n')
  const named = files
    .filter((file) => file !== '' && exists(file))
    .flatMap((file) => {
      const lines = infra(`../${file}`).matchAll(
        /\b(?:systemctl\s+(?:[a-z-]+\s+)|journalctl\s.*?-u\s+)(.+?)(?=`|$|[;&|])/gm,
      )
      return [...lines].flatMap(([, given]) => given!.match(/harrier[^\s'"]*/g) ?? []).map((unit) => ({ file, unit }))
    })
  expect(named.length).toBeGreaterThan(0)
  /** A shell pattern, and an instance of a template: `harrier-api@8080`. */
  const isThere = (unit: string): boolean =>
    units.some((known) => {
      const template = known.replace(/@\.service$/, '@')
      if (unit.includes('*')) return new RegExp(`^${unit.replaceAll('*', '.*')}$`).test(`${template}8080.service`)
      return unit.startsWith(template)
    })
  expect(named.filter(({ unit }) => !isThere(unit))).toEqual([])
})

test('no secret has a value in a file of the repository', () => {
  for (const path of infraFiles('production', '.env')) {
    const names = Object.keys(envFile(path)).filter((name) => /PASSWORD|SECRET|KEY|_URL$/.test(name))
    expect([path, names.filter((name) => !['SCHEMA_REGISTRY_URL', 'HARRIER_URL'].includes(name))]).toEqual([path, []])
  }
})

describe('the ClickHouse cluster', () => {
  const cluster = infra('production/clickhouse/cluster.xml')

  test('is named as the migrations are told, and has the macros that they write', () => {
    const { CLICKHOUSE_CLUSTER: name = '' } = envFile('production/env/api.env')
    expect(cluster).toMatch(new RegExp(`<remote_servers>\\s*<${name}>`))
    const written = infraFiles('clickhouse/migrations', '.sql').flatMap((path) =>
      statements(infra(path), { mode: 'cluster', cluster: name }),
    )
    const used = new Set(written.join('\n').match(/\{(?:shard|replica)\}/g))
    expect([...used].sort()).toEqual(['{replica}', '{shard}'])
    for (const macro of ['shard', 'replica']) expect(cluster).toMatch(new RegExp(`<macros>[\\s\\S]*<${macro} `))
  })

  test('lets a shard copy its rows itself, and counts an insert when most replicas have it', () => {
    const shards = cluster.match(/<shard>[\s\S]*?<\/shard>/g) ?? []
    expect(shards.length).toBeGreaterThan(1)
    for (const shard of shards) {
      expect(shard).toContain('<internal_replication>true</internal_replication>')
      expect(shard.match(/<replica>/g)).toHaveLength(3)
    }
    const users = infra('production/clickhouse/users.xml')
    for (const setting of [
      '<insert_quorum>auto</',
      '<select_sequential_consistency>1</',
      '<distributed_product_mode>global</',
      '<distributed_foreground_insert>1</',
    ])
      expect(users).toContain(setting)
  })

  test.each(infraFiles('production/clickhouse', '.xml'))('%s closes what it opens', (path) => {
    const open: string[] = []
    for (const [, close, name, self] of infra(path)
      .replace(/<!--[\s\S]*?-->/g, '')
      .matchAll(/<(\/?)([a-z_A-Z0-9]+)[^>]*?(\/?)>/g)) {
      if (self) continue
      if (close) expect(open.pop()).toBe(name)
      else open.push(name!)
    }
    expect(open).toEqual([])
  })
})

describe('nginx', () => {
  test('passes handshakes of sockets on, and lets streams live between their heartbeats', () => {
    const text = infra('production/nginx.conf')
    expect(text).toContain('proxy_set_header Upgrade $http_upgrade;')
    expect(text).toContain('proxy_set_header Connection $upstream_connection;')
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(text)![1])
    expect(seconds).toBeGreaterThan(2 * 15)
    expect(text).not.toMatch(/proxy_ignore_headers/)
  })

  const { NGINX, CI } = process.env
  if (!NGINX) {
    test.skipIf(!CI)('NGINX names it (infra/dev/tool.sh fetches it)', () => expect(NGINX).toBeDefined())
    return
  }
  test('takes the configuration', () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-nginx-'))
    try {
      expect(complaints(NGINX, nginxConfig(folder, { tls: 8443, plain: 8444 }, ['127.0.0.1:8081']))).toBeNull()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('writes no token of a download into its log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-nginx-'))
    const server = createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = await startProxy(NGINX, folder, [`127.0.0.1:${(server.address() as AddressInfo).port}`])
    const log = () => readFileSync(join(folder, 'access.log'), 'utf8')
    try {
      for (const path of ['/api/feeds/v1/t/a-secret/items.txt?since=1', '/api//feeds/v1/%74/a-secret/delta', '/livez'])
        await fetch(proxy.url + path, { method: 'POST' })
      await expect.poll(log).toMatch(/livez/)
      expect(log()).toContain('"POST /api/feeds/v1/t/-/items.txt" 200')
      expect(log()).not.toContain('a-secret')
    } finally {
      await proxy.stop()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('opens a socket behind it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-nginx-'))
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (client) => client.send('hello'))
    await once(server, 'listening')
    const proxy = await startProxy(NGINX, folder, [`127.0.0.1:${(server.address() as AddressInfo).port}`])
    try {
      const client = new WebSocket(proxy.url.replace('http', 'ws'))
      const [told] = await once(client, 'message')
      expect(String(told)).toBe('hello')
      client.terminate()
    } finally {
      await proxy.stop()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the pages of operators', () => {
  const pages = infraFiles('../docs/operate', '.md')
  const text = pages.map(infra).join('\n')

  test('name variables and alerts that there are', () => {
    const variables = [
      ...text.matchAll(/`((?:HARRIER|KAFKA|CLICKHOUSE|STRIPE|SMTP|DATABASE|SCHEMA)_[A-Z_]+)(?:=[^`]*)?`/g),
    ]
    expect(new Set(variables.map(([, name]) => name)).size).toBeGreaterThan(20)
    expect(variables.map(([, name]) => name!).filter((name) => !VARIABLES.has(name))).toEqual([])
    const named = [...text.matchAll(/`(Harrier[A-Z]\w+)`/g)].map(([, name]) => name!)
    expect(new Set(named).size).toBeGreaterThan(8)
    expect(named.filter((name) => !infra('monitoring/alerts.yml').includes(`alert: ${name}\n`))).toEqual([])
  })

  test('name every variable that a file of production sets for a role', () => {
    const servers = infra('../docs/operate/servers.md')
    const isNamed = (name: string): boolean =>
      servers.includes(`\`${name}\``) || servers.includes(`\`${name.split('_')[0]}_*\``)
    const set = ROLES.flatMap((role) => Object.keys(envFile(`production/env/${role}.env`)))
    expect([...new Set([...set, ...Object.keys(secrets)])].filter((name) => !isNamed(name))).toEqual([])
  })

  test('name what follows from the topics that are declared, and the groups that read them', () => {
    const page = infra('../docs/operate/kafka.md')
    const kept = topics.filter(({ name }) => !name.endsWith('.dead'))
    expect(kept.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    expect(GROUPS.filter((group) => !page.includes(`\`${group}\``))).toEqual([])
  })

  test('name as many connections to the accounts database as a process opens', () => {
    const [, pool] = /const POOL = (\d+)/.exec(infra('../cli/wiring/open/database.ts'))!
    // Each process listens for commits over one more.
    const most = String(Number(pool) + 1)
    const page = infra('../docs/operate/postgresql.md')
    expect(page).toContain(`holds up to ${pool} connections, and one`)
    expect(/set `max_connections` to (\d+)/.exec(page)![1]).toBe(most)
    const runbook = infra('../docs/operate/runbooks/store-away.md')
    expect(/`max_connections` against (\d+)/.exec(runbook)![1]).toBe(most)
  })

  test('say how many alerts there are, and which of them wake somebody', () => {
    const alerts = infra('monitoring/alerts.yml')
    const page = infra('../docs/operate/monitoring.md')
    expect(page).toContain(`has ${alerts.match(/- alert: /g)!.length} alerts`)
    const critical = [...alerts.matchAll(/- alert: (\w+)(?:(?!- alert)[\s\S])*?severity: critical/g)].map(
      ([, name]) => name,
    )
    expect([...page.matchAll(/^\| `(Harrier\w+)` \|/gm)].map(([, name]) => name)).toEqual(critical)
  })
})
