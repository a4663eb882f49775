/**
 * One fault under load, and what is left afterwards: `npm run chaos -- <name> [--option value]`. Ends with 1 when
 * something was lost, was there twice, or was out of its bound. docs/contribute/chaos.md tells what each does (ADR 285).
 */
import { parseArgs } from 'node:util'
import { type Command, lineOf } from '../harness/outcome.ts'
import { commands } from './list.ts'

type Any = Command<Record<string, string | number>>

const usage = (): string =>
  Object.entries(commands)
    .map(([name, { what, options }]) => {
      const flags = Object.entries(options).map(([option, value]) => `[--${option} ${value}]`)
      return `  ${name} ${flags.join(' ')}\n      ${what}`
    })
    .join('\n')

/** The options of the command line over the defaults, whose types they keep. */
function given(defaults: Any['options'], args: string[]): Any['options'] {
  const declared = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ args, options: declared, strict: true })
  const read = { ...defaults }
  for (const [name, text] of Object.entries(values)) {
    const number = Number(text)
    if (typeof defaults[name] === 'number' && !(number > 0)) throw new Error(`--${name} must be a number above 0`)
    read[name] = typeof defaults[name] === 'number' ? number : String(text)
  }
  return read
}

async function main([name, ...args]: string[]): Promise<number> {
  const chosen = (commands as unknown as Record<string, Any>)[name ?? '']
  if (chosen === undefined) {
    console.error(`usage: npm run chaos -- <name> [options]\n${usage()}`)
    return 2
  }
  const outcome = await chosen.run(given(chosen.options, args), (line) => console.log(`  ${line}`))
  console.log(lineOf(name!, outcome))
  return outcome.faults.length === 0 ? 0 : 1
}

// Ends what was started too: each has a listener for the end of this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error)
    return 1
  }),
)
