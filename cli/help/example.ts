/** What stands after `harrier` on the line, and what it does. */
export type Example = readonly [line: string, does: string]
