/** What a command found: figures to print, and faults, each in words, that make it fail. */
export type Outcome = { figures: Record<string, string | number>; faults: string[] }

/** A command of `npm run chaos`: its options are those with a default here, and keep its type. */
export type Command<Options extends Record<string, string | number>> = {
  /** What happens, in a line. */
  what: string
  options: Options
  run(options: Options, print: (line: string) => void): Promise<Outcome>
}

export const command = <Options extends Record<string, string | number>>(given: Command<Options>): Command<Options> =>
  given

export type Bound = { name: string; is: number; atMost?: number; atLeast?: number }

/** Faults of figures that have a bound. */
export function bounded(bounds: readonly Bound[]): string[] {
  return bounds.flatMap(({ name, is, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) => {
    if (is >= atLeast && is <= atMost) return []
    return [
      `${name} is ${Math.round(is * 100) / 100}, not ${is < atLeast ? `at least ${atLeast}` : `at most ${atMost}`}`,
    ]
  })
}

/** One line: `name: figure 1, other figure 2`. */
export const lineOf = (name: string, { figures, faults }: Outcome): string =>
  [
    `${name}: ${Object.entries(figures)
      .map(([figure, value]) => `${figure} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`)
      .join(', ')}`,
    ...faults.map((fault) => `out of bound: ${fault}`),
  ].join('; ')

/** Prints its line of figures. */
export function printed(name: string, outcome: Outcome): Outcome {
  console.log(lineOf(name, outcome))
  return outcome
}

/** Runs a command in a test: prints what it does and its line of figures, and returns its faults. */
export async function faultsOf<Options extends Record<string, string | number>>(
  name: string,
  { options, run }: Command<Options>,
  given: Partial<Options>,
): Promise<string[]> {
  return printed(name, await run({ ...options, ...given }, (line) => console.log(line))).faults
}
