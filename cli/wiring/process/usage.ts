/** What was typed cannot be used: nothing was sent or changed, and the command line ends with 2. */
export class UsageError extends Error {
  readonly exitCode = 2
}
