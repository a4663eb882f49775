/** The rules that need the types of the whole tree and of its packages: to read them takes 10 s, to lint a file 0.1 s. */
const TYPED = 'nursery'

type Config = {
  extends: string[]
  plugins: string[]
  linter: { rules: Record<string, unknown> }
  overrides: { linter: { rules?: Record<string, unknown> } }[]
}

/** The configuration of the linter at `root` without the rules that need types, for a file anywhere. */
export function fastLint(biomeJson: string, root: string): string {
  const config = JSON.parse(biomeJson) as Config
  const absolute = (path: string): string => path.replace(/^\.\//, `${root}/`)
  const rulesOf = ({ [TYPED]: _, ...rules }: Record<string, unknown>) => rules
  return JSON.stringify({
    ...config,
    extends: config.extends.map(absolute),
    plugins: config.plugins.map(absolute),
    linter: { ...config.linter, rules: rulesOf(config.linter.rules) },
    overrides: config.overrides.map((override) => ({
      ...override,
      linter: { ...override.linter, rules: rulesOf(override.linter.rules ?? {}) },
    })),
  })
}
