/** Ctrl-C ended a command: it says what was done, and how to go on. The command line ends with 130, as shells expect. */
export class Interrupted extends Error {
  readonly exitCode = 130
  /** What to type to go on; null: the same command again. */
  readonly goOn: string | null

  /** @param done what was done until then, as the end of "interrupted: ..." */
  constructor(done: string, goOn: string | null = null, options?: ErrorOptions) {
    super(done, options)
    this.goOn = goOn
  }
}

/** What is printed of it. `again`: the command as it was typed. */
export const interruptedText = ({ message, goOn }: Interrupted, again: string): string =>
  `interrupted: ${message}\nTo continue: ${goOn ?? again}`
