import * as apps from 'kubernetes-models/apps/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { type Listen, listenOption, unguarded } from '../../../cli/commands/edge/listen-option.ts'
import { allowing } from '../../../edge/listeners/allowed.ts'
import { readZone } from '../../../edge/protocols/dns/zone.ts'
import { envFile, infra } from '../../builders/infra/manifests.ts'

/** What starts an edge as a service and in a cluster (docs/operate/edge.md). */

const OPTIONS = ['feed', 'token-file', 'data', 'allow', 'listen']

/** The options of a command line, each with its values. */
function optionsIn(words: readonly string[]): Record<string, string[]> {
  const options: Record<string, string[]> = {}
  const given = words.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]))
  for (let i = 0; i < given.length; i += 2) {
    expect(OPTIONS).toContain(given[i]!.slice(2))
    const name = given[i]!.slice(2)
    options[name] = [...(options[name] ?? []), given[i + 1]!]
  }
  return options
}

function listensIn({ listen, allow }: Record<string, string[]>): Listen[] {
  const listens = listen!.reduce((before: Listen[], one) => listenOption(one, before), [])
  for (const one of listens) if (one.protocol === 'dns') readZone(one.zone)
  expect(unguarded(listens, { allow: allow !== undefined, secret: false })).toBeNull()
  return listens
}

describe('the unit', () => {
  const unit = infra('production/systemd/harrier-edge@.service')
  const [, command] = /^ExecStart=\/usr\/bin\/node \/opt\/harrier\/bin\/harrier\.js edge (.*)$/m.exec(unit)!
  const variables = envFile('production/env/edge.env.example')

  test('starts an edge with the options and variables that there are', () => {
    const words = command!.replace(/\$\{?([A-Z_]+)\}?/g, (_, name: string) => variables[name] ?? `no ${name}`)
    const options = optionsIn(words.split(' '))
    expect(listensIn(options).map(({ protocol }) => protocol)).toEqual(['http', 'redis', 'dns'])
    expect(options).toMatchObject({
      feed: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      'token-file': ['/etc/harrier/edge/%i.token'],
      data: ['/var/lib/harrier-edge/%i/list'],
    })
    expect(unit).toContain('EnvironmentFile=/etc/harrier/edge/%i.env\n')
    expect(unit).toContain('StateDirectory=harrier-edge/%i harrier-edge/%i/files\n')
  })

  test('shuts it in as the other roles, and does not start it again with options that are wrong', () => {
    const shut = (text: string): string => text.slice(text.indexOf('NoNewPrivileges'))
    expect(shut(unit)).toBe(shut(infra('production/systemd/harrier-lifecycle@.service')))
    for (const line of ['User=harrier', 'Restart=always', 'RestartPreventExitStatus=2', 'TimeoutStopSec=15s'])
      expect(unit.split('\n')).toContain(line)
  })
})

describe('the manifest of Kubernetes', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a manifest is what a test looks into
  type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: any }
  type Model = new (manifest: never) => { validate(): void }
  const models: Record<string, Record<string, unknown>> = {
    v1: core,
    'apps/v1': apps,
    'networking.k8s.io/v1': networking,
  }
  const kustomization = parse(infra('kubernetes/edge/kustomization.yaml'))
  const manifests = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(infra(`kubernetes/edge/${file}`)).map((document) => document.toJS()),
  ) as Manifest[]
  const of = (kind: string): Manifest => manifests.find((one) => one.kind === kind)!
  const pod = of('Deployment').spec.template.spec
  const [container] = pod.containers
  const values: Record<string, string> = Object.fromEntries(
    kustomization.configMapGenerator[0].literals.map((line: string) => line.split(/=(.*)/s, 2)),
  )

  test('is what the schemas of its kinds describe', () => {
    for (const manifest of manifests) {
      const model = models[manifest.apiVersion]![manifest.kind] as Model
      new model(manifest as never).validate()
    }
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'Service',
    ])
  })

  test('starts the image of this release with options that there are', () => {
    const { version } = JSON.parse(infra('../package.json'))
    expect(kustomization.images).toEqual([{ name: container.image, newTag: version }])
    const [command, ...words] = (container.args as string[]).map((word) =>
      word.replace(/\$\(([A-Z]+)\)/g, (_, name: string) => values[name] ?? `no ${name}`),
    )
    expect(command).toBe('edge')
    const options = optionsIn(words)
    allowing(options.allow![0]!.split(','))
    const ports = listensIn(options).map((one) => (one.protocol === 'file' ? 0 : one.place.port))
    const open = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)
    expect([...new Set(open)]).toEqual(ports)
    const named = container.ports.map(({ name }: { name: string }) => name)
    for (const { targetPort } of of('Service').spec.ports) expect(named).toContain(targetPort)
  })

  test('is one pod with the token, a volume that stays, and a probe that a stale list does not fail', () => {
    expect(of('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    const mounts = Object.fromEntries(
      container.volumeMounts.map(({ name, mountPath }: Record<string, string>) => [name, mountPath]),
    )
    const { data, token } = Object.fromEntries(
      pod.volumes.map(({ name, ...volume }: { name: string }) => [name, volume]),
    )
    expect(data).toEqual({ persistentVolumeClaim: { claimName: of('PersistentVolumeClaim').metadata.name } })
    expect(token).toEqual({ secret: { secretName: 'harrier-edge' } })
    expect(container.args).toContain(`--token-file=${mounts.token}/token`)
    expect(container.args).toContain(`--data=${mounts.data}/edge`)
    for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
      expect(probe.tcpSocket).toEqual({ port: 'http' })
  })

  test('is shut in', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(of('NetworkPolicy').spec.policyTypes).toEqual(['Ingress', 'Egress'])
  })
})
