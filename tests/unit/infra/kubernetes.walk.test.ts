import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { infra } from '../../builders/infra/manifests.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const page = infra('../docs/operate/kubernetes.md')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!)

// biome-ignore lint/suspicious/noExplicitAny: a manifest is what a test looks into
type Manifest = { kind: string; metadata: { name: string; labels?: Record<string, string> }; spec?: any; data?: any }
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const rendered = (folder: string): Manifest[] =>
  parseAllDocuments(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })).map((one) => one.toJS())

/** Whether a selector, in the three forms that the page has, takes a component; undefined: no label. */
function takes(selector: string, component: string | undefined): boolean {
  const [, one, several] = /^app\.kubernetes\.io\/component(?:=(\S+)| in \((\S+)\))$/.exec(selector) ?? []
  if (one !== undefined) return component === one
  if (several !== undefined) return several.split(',').includes(component ?? '')
  expect(selector).toBe('!app.kubernetes.io/component')
  return component === undefined
}

describe('the steps of an upgrade', () => {
  const steps = [...page.matchAll(/^kubectl apply -k site -l '(.+)'$/gm)].map(([, selector]) => selector!)
  const kustomization = parse(infra('kubernetes/base/kustomization.yaml'))
  const base = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(infra(`kubernetes/base/${file}`)).map((document) => document.toJS()),
  ) as Manifest[]
  const stepOf = ({ metadata: { labels } }: Manifest): number[] =>
    steps.flatMap((selector, at) => (takes(selector, labels?.['app.kubernetes.io/component']) ? [at] : []))

  test('apply every manifest once', () => {
    expect(base.filter((manifest) => stepOf(manifest).length !== 1)).toEqual([])
    expect(new Set(base.flatMap(stepOf)).size).toBe(steps.length)
  })

  test('begin with what is no process, then the API, then what does not migrate, then the jobs', () => {
    const at = (name: string): number =>
      stepOf(base.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)!)[0]!
    expect(['api', 'scan-worker', 'lifecycle', 'observe', 'follow'].map(at)).toEqual([1, 2, 2, 3, 3])
    expect(page.indexOf('scale deployment/observe deployment/follow --replicas=0')).toBeLessThan(
      page.indexOf(`apply -k site -l '${steps[0]}'`),
    )
  })
})

describe.skipIf(!hasKubectl)('where kubectl can build them', () => {
  test('the overlay of the page changes names, hosts and the image', () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-walk-'))
    try {
      mkdirSync(join(folder, 'harrier'))
      mkdirSync(join(folder, 'site'))
      // A link would lead out of the folder, which kustomize does not follow for a file.
      symlinkSync(join(ROOT, 'infra'), join(folder, 'harrier/infra'))
      writeFileSync(join(folder, 'site/kustomization.yaml'), blocks('yaml')[0]!)
      const manifests = rendered(join(folder, 'site'))
      const of = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind)
      expect(of('Ingress').map(({ spec }) => [spec.rules[0].host, spec.tls[0].hosts])).toEqual([
        ['ti.example.com', ['ti.example.com']],
        ['ti.example.com', ['ti.example.com']],
      ])
      const [, image] = /^docker push (\S+)$/m.exec(page)!
      for (const { spec } of of('Deployment')) expect(spec.template.spec.containers[0].image).toBe(image)
      expect(of('ConfigMap')[0]!.data).toMatchObject({
        HARRIER_URL: 'https://ti.example.com',
        NODE_EXTRA_CA_CERTS: '/etc/harrier/ca/ca.pem',
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test.each(['overlays/production', 'overlays/trial'])('%s mounts no volume within another one', (overlay) => {
    const deployments = rendered(join(ROOT, 'infra/kubernetes', overlay)).filter(({ kind }) => kind === 'Deployment')
    expect(deployments).toHaveLength(5)
    for (const { spec, metadata } of deployments) {
      const paths = spec.template.spec.containers[0].volumeMounts.map((mount: { mountPath: string }) => mount.mountPath)
      const within = paths.filter((path: string) => paths.some((other: string) => path.startsWith(`${other}/`)))
      expect([metadata.name, within]).toEqual([metadata.name, []])
    }
  })

  test('the page names every object that a pod of production needs and the manifests do not make', () => {
    const pods = rendered(join(ROOT, 'infra/kubernetes/overlays/production'))
    const made = new Set(pods.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    const needed = new Set<string>()
    for (const { kind, spec } of pods) {
      if (kind === 'Ingress') needed.add(`Secret ${spec.tls[0].secretName}`)
      if (kind !== 'Deployment') continue
      for (const { configMap } of spec.template.spec.volumes) if (configMap) needed.add(`ConfigMap ${configMap.name}`)
      for (const { valueFrom } of spec.template.spec.containers[0].env)
        if (valueFrom) needed.add(`Secret ${valueFrom.secretKeyRef.name}`)
    }
    const asked = [...needed].filter((name) => !made.has(name)).sort()
    expect(asked).toEqual(['ConfigMap harrier-ca', 'ConfigMap harrier-sign-on', 'Secret harrier', 'Secret harrier-tls'])
    for (const name of asked) expect(page).toContain(`| ${name.replace(' ', ' `')}\` |`)
  })
})
