import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { healthRoutes } from '../../../api/operation/routes/health.ts'
import { harrier } from '../../../cli/program.ts'
import { prometheusMetrics } from '../../../connectors/metrics/prometheus.ts'
import { loadConfig } from '../../../platform/config.ts'
import { CONSOLE_PAGES } from '../../../schemas/console-pages.ts'
import { envFile, infra, memoryIn, memoryOf, VARIABLES } from '../../builders/infra/manifests.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ROLES = ['api', 'observe', 'follow', 'scan-worker', 'lifecycle']
const OF_NODE = ['NODE_EXTRA_CA_CERTS']

// biome-ignore lint/suspicious/noExplicitAny: a manifest is what a test looks into
type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec?: any; data?: any }
type Model = new (manifest: never) => { validate(): void }

const MODELS: Record<string, Record<string, unknown>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}

const kustomization = parse(infra('kubernetes/base/kustomization.yaml'))
const base = kustomization.resources.flatMap((file: string) =>
  parseAllDocuments(infra(`kubernetes/base/${file}`)).map((document) => document.toJS()),
) as Manifest[]
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const built = (overlay: string): Manifest[] =>
  parseAllDocuments(
    execFileSync('kubectl', ['kustomize', join(ROOT, 'infra/kubernetes', overlay)], { encoding: 'utf8' }),
  ).map((document) => document.toJS())

/** What the schema of its kind says of a manifest; null: nothing. */
function faults(manifest: Manifest): string | null {
  const model = MODELS[manifest.apiVersion]?.[manifest.kind] as Model | undefined
  if (model === undefined) return `there is no ${manifest.kind} in ${manifest.apiVersion}`
  try {
    new model(manifest as never).validate()
    return null
  } catch (error) {
    return `${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`
  }
}

/**
 * Fields that no kind has: the schemas let them pass, as the server does, and the types do not. Returns the complaints
 * of the compiler about the manifests as literals.
 */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-manifests-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const lines = manifests.map(({ apiVersion, kind, ...rest }, i) => {
      const literal = JSON.stringify({ apiVersion, kind, ...rest })
      return `import type { I${kind} as T${i} } from 'kubernetes-models/${apiVersion}'\nexport const m${i}: T${i} = ${literal}`
    })
    writeFileSync(join(folder, 'm.mts'), lines.join('\n'))
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--types',
      '',
    ]
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...flags, 'm.mts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return [...stdout.matchAll(/error TS\d+: (.*)/g)].map(([, message]) => message!)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const deployments = (manifests: readonly Manifest[]): [string, Manifest][] =>
  manifests.filter(({ kind }) => kind === 'Deployment').map((found) => [found.metadata.name, found])

const health = healthRoutes([], prometheusMetrics({ process: false })).map(({ path }) => path)
const commands = (await harrier({ ...process, signal: new AbortController().signal })).commands.map((command) =>
  command.name(),
)

describe('manifests of Kubernetes', () => {
  test('are what the schemas of their kinds describe', () => {
    expect(base.length).toBeGreaterThan(12)
    expect(base.map(faults).filter((fault) => fault !== null)).toEqual([])
    const [, wrong] = deployments(structuredClone(base))[0]!
    wrong.spec.replicas = 'two'
    expect(faults(wrong)).toContain('replicas')
  })

  test('have no field that no kind has', () => {
    const misspelt = structuredClone(deployments(base)[0]![1])
    misspelt.spec.template.spec.containers[0].readinesProbe = {}
    const complaints = unknownFields([...base, misspelt])
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain('readinesProbe')
  }, 60_000)

  test('have one deployment for each role, that starts it', () => {
    expect(deployments(base).map(([name]) => name)).toEqual(ROLES)
  })
})

describe.each(deployments(base))('the deployment %s', (role, { spec }) => {
  const pod = spec.template.spec
  const [container] = pod.containers

  test('runs the image of this release with a command that there is', () => {
    const { version } = JSON.parse(infra('../package.json'))
    expect(kustomization.images).toEqual([{ name: container.image, newTag: version }])
    expect((container.command ?? container.args).at(-1)).toBe(role)
    expect(commands).toContain(role)
  })

  test('gets variables that there are, and makes a configuration of them without embedded stores', () => {
    const own = container.env as {
      name: string
      value?: string
      valueFrom?: { secretKeyRef: { key: string; name: string } }
    }[]
    for (const { name, valueFrom } of own)
      if (valueFrom !== undefined) expect(valueFrom.secretKeyRef).toMatchObject({ key: name, name: 'harrier' })
    const secrets: Record<string, string> = {
      CLICKHOUSE_URL: 'https://harrier:abc@ch:8443',
      DATABASE_URL: 'postgres://harrier:abc@pg/harrier',
      SMTP_URL: 'smtps://mail',
      HARRIER_OIDC_ISSUER: 'https://login.example.com',
      HARRIER_OIDC_REDIRECT_URI: 'https://harrier.example.com/auth/v2/oidc/callback',
    }
    const given = own.map(({ name, value }) => [name, value ?? secrets[name] ?? 'secret-of-16-letters'])
    const variables = { ...envFile('kubernetes/base/harrier.env'), ...Object.fromEntries(given) }
    expect(memoryIn(variables)).toEqual(memoryOf(role))
    const known = (name: string): boolean => VARIABLES.has(name) || name in memoryOf(role)
    expect(Object.keys(variables).filter((name) => !known(name))).toEqual([])
    const config = loadConfig(variables)
    expect(config.kafkaSecurity.sasl?.password).toBe('secret-of-16-letters')
    expect([config.clickhouseUrl !== null, config.databaseUrl !== null]).toEqual([
      ['api', 'observe', 'follow'].includes(role),
      role !== 'observe',
    ])
    expect(config.stripe !== null).toBe(['api', 'lifecycle'].includes(role))
    const [{ containerPort }] = container.ports
    expect(containerPort).toBe(role === 'api' ? config.port : config.metricsPort)
    expect(config.host).toBe('0.0.0.0')
    // Metrics have a port of their own also where the API has one: it asks for no credentials.
    expect(spec.template.metadata.annotations['prometheus.io/port']).toBe(String(config.metricsPort))
    expect(container.ports.at(-1).containerPort).toBe(config.metricsPort)
  })

  test('is asked for its health at paths that there are, and may end in peace', () => {
    for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
      expect(health).toContain(probe.httpGet.path)
      expect(container.ports.map(({ name }: { name: string }) => name)).toContain(probe.httpGet.port)
    }
    // A part that is away is no reason to start a process again, nor to refuse the reports that it can take.
    expect(container.livenessProbe.httpGet.path).toBe('/livez')
    if (role === 'api') expect(container.readinessProbe.httpGet.path).toBe('/livez')
    const waits = container.lifecycle?.preStop.sleep.seconds ?? 0
    expect(pod.terminationGracePeriodSeconds - waits).toBeGreaterThanOrEqual(15)
  })

  test('is shut in', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory'])
    expect(container.resources.limits.memory).toBeDefined()
    // Nothing that outlives the pod, and no file of the node.
    for (const { name, ...volume } of pod.volumes)
      expect([['emptyDir'], ['configMap']]).toContainEqual(Object.keys(volume))
  })

  test('has a budget for disruptions, and is spread', () => {
    const budget = base.find(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === role)!
    expect(budget.spec.selector).toEqual(spec.selector)
    expect(pod.topologySpreadConstraints).toHaveLength(2)
    // Two releases of the jobs never run side by side (docs/operate/upgrade.md).
    expect(spec.strategy.type).toBe(['observe', 'follow'].includes(role) ? 'Recreate' : 'RollingUpdate')
  })
})

describe('the network', () => {
  const named = (kind: string, name: string): Manifest =>
    base.find((found) => found.kind === kind && found.metadata.name === name)!

  test('is closed unless a policy opens it', () => {
    expect(named('NetworkPolicy', 'nothing').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  /** Whether the ingress passes a request on, by the rules of Kubernetes: a prefix counts by whole segments. */
  const passes = (asked: string): boolean =>
    named('Ingress', 'api').spec.rules[0].http.paths.some(({ path, pathType }: { path: string; pathType: string }) =>
      pathType === 'Exact' ? asked === path : `${asked}/`.startsWith(path.endsWith('/') ? path : `${path}/`),
    )

  test('is opened to callers for what is theirs alone', () => {
    expect(['/metrics', '/readyz', '/metrics/', '/anything', '/overview'].filter(passes)).toEqual([])
    const theirs = [
      '/api/ingest/v1/entity',
      '/auth/v2/session',
      '/help',
      '/help/use/',
      '/docs',
      '/docs/x.js',
      '/openapi.json',
      '/livez',
    ]
    expect(theirs.filter((path) => !passes(path))).toEqual([])
  })

  test('is opened to browsers for every page of the console and what it loads', () => {
    const pages = Object.values(CONSOLE_PAGES).flat()
    expect(pages.length).toBeGreaterThan(10)
    expect([...pages, '/assets/index-12345678.js'].filter((path) => !passes(path))).toEqual([])
  })

  test('lets scans and webhooks reach no private address', () => {
    for (const name of ['scans', 'callers']) {
      const rules = named('NetworkPolicy', name).spec.egress as {
        to?: { ipBlock: { cidr: string; except: string[] } }[]
      }[]
      const everywhere = rules.flatMap(({ to }) => to ?? [])
      expect(everywhere.map(({ ipBlock }) => ipBlock.cidr)).toEqual(['0.0.0.0/0', '::/0'])
      for (const private4 of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'])
        expect(everywhere[0]!.ipBlock.except).toContain(private4)
    }
  })
})

describe.skipIf(!hasKubectl)('overlays, where kubectl can build them', () => {
  test.each(['base', 'overlays/production', 'overlays/trial'])(
    '%s is valid, and its configuration known',
    (overlay) => {
      const manifests = built(overlay)
      expect(manifests.map(faults).filter((fault) => fault !== null)).toEqual([])
      const map = manifests.find(({ kind }) => kind === 'ConfigMap')!
      expect(Object.keys(map.data).filter((name) => !VARIABLES.has(name) && !OF_NODE.includes(name))).toEqual([])
      for (const [, { spec }] of deployments(manifests)) {
        const [container] = spec.template.spec.containers
        expect(container.envFrom[0].configMapRef.name).toBe(map.metadata.name)
        expect(container.image).toMatch(/harrier:\d+\.\d+\.\d+$/)
        const secured = container.env.some(({ name }: { name: string }) => name === 'KAFKA_SASL_PASSWORD')
        expect(secured).toBe('KAFKA_SASL_USERNAME' in map.data)
      }
    },
  )
})
