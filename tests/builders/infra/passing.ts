import { parseAllDocuments } from 'yaml'
import { infra } from './manifests.ts'

/** What the shipped proxies do with a request, read from their files. */
export type Passed = { passed: boolean; bodyMiB: number; buffersRequest: boolean; buffersAnswer: boolean }

const setting = (text: string, name: string): string | undefined => new RegExp(`\\b${name} ([^;]+);`).exec(text)?.[1]

const nginx = infra('production/nginx.conf')
const manifests = parseAllDocuments(infra('kubernetes/base/service.yaml')).map((document) => document.toJS() as Ingress)

/** What nginx does: an exact location first, then the first pattern, then the longest prefix. */
export function byNginx(path: string): Passed {
  const [, server = ''] = /listen 443 ssl http2;([\s\S]*)$/.exec(nginx) ?? []
  const locations = [...server.matchAll(/location (?:(=|~) )?(\S+) \{([^}]*)\}/g)].map(([, how, of, body]) => ({
    how: how ?? '',
    of: of!,
    body: body!,
  }))
  const outside = server.replace(/location [^{]*\{[^}]*\}/g, '')
  const prefixes = locations.filter(({ how, of }) => how === '' && path.startsWith(of))
  const found =
    locations.find(({ how, of }) => how === '=' && of === path) ??
    locations.find(({ how, of }) => how === '~' && new RegExp(of).test(path)) ??
    prefixes.sort((a, b) => b.of.length - a.of.length)[0]
  const of = (name: string): string | undefined => setting(found?.body ?? '', name) ?? setting(outside, name)
  return {
    passed: of('proxy_pass') === 'http://harrier_api',
    bodyMiB: Number.parseInt(of('client_max_body_size') ?? '1', 10),
    buffersRequest: of('proxy_request_buffering') !== 'off',
    buffersAnswer: of('proxy_buffering') !== 'off',
  }
}

type Ingress = {
  kind: string
  metadata: { annotations: Record<string, string> }
  spec: { rules: { http: { paths: { path: string; pathType: string }[] } }[] }
}

/** What the ingress controller does, by the rules of Kubernetes: exact paths first, prefixes by whole segments. */
export function byIngress(path: string): Passed {
  const rules = manifests
    .filter(({ kind }) => kind === 'Ingress')
    .flatMap(({ metadata, spec }) => spec.rules[0]!.http.paths.map((of) => ({ ...of, notes: metadata.annotations })))
  const found =
    rules.find((of) => of.pathType === 'Exact' && of.path === path) ??
    rules
      .filter((of) => of.pathType === 'Prefix' && `${path}/`.startsWith(`${of.path}/`))
      .sort((a, b) => b.path.length - a.path.length)[0]
  const note = (name: string): string | undefined => found?.notes[`nginx.ingress.kubernetes.io/${name}`]
  return {
    passed: found !== undefined,
    bodyMiB: Number.parseInt(note('proxy-body-size') ?? '1', 10),
    buffersRequest: note('proxy-request-buffering') !== 'off',
    // The controller buffers no answers unless it is told to.
    buffersAnswer: note('proxy-buffering') === 'on',
  }
}
