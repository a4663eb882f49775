/** What to do about lines that were rejected for their markings alone; `''` when there are none. */
export const withheldAdvice = (withheld: number): string =>
  withheld === 0
    ? ''
    : `${withheld} of the rejected lines are restricted by their markings; use --visible-by or --marking ` +
      'to name the groups that may read them\n'
