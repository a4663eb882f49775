import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export type Service = {
  image?: string
  init?: boolean
  environment: Record<string, string>
  ports?: string[]
  volumes?: string[]
  healthcheck?: object
  depends_on?: Record<string, { condition: string }>
}

export type Compose = { name: string; services: Record<string, Service>; volumes: Record<string, unknown> }

const FILE = new URL('../../../infra/compose.yaml', import.meta.url)

/** The variables that the file asks for; `required` ones keep it from starting while they are empty. */
export function composeVariables(): { name: string; required: boolean }[] {
  const found = readFileSync(FILE, 'utf8').matchAll(/\$\{([A-Z_]+)(:\?|:-[^}]*)\}/g)
  const names = new Map([...found].map(([, name, rest]) => [name!, rest === ':?']))
  return [...names].map(([name, required]) => ({ name, required }))
}

/** infra/compose.yaml as Compose reads it: anchors merged, `$NAME` replaced by what `env` has or by its default. */
export function readCompose(env: Readonly<Record<string, string>> = {}): Compose {
  const text = readFileSync(FILE, 'utf8').replace(
    /\$\{([A-Z_]+):([?-])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => {
      const value = env[name] || (kind === '-' ? rest : '')
      if (value === '' && kind === '?') throw new Error(`infra/compose.yaml needs ${name}`)
      return value
    },
  )
  return parse(text, { merge: true }) as Compose
}
